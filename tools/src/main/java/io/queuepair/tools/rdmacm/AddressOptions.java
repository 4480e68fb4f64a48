// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.rdmacm;

import io.queuepair.rdmacm.RdmaAddrinfo;
import io.queuepair.rdmacm.RdmaAddrinfoFlag;
import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.tools.cli.RangeChecks;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Where the two sides of ucmatose and udaddy meet. */
final class AddressOptions {
  private static final int MOST_TOS = 255;

  /** IPv6 and IPv4; the original listens at IPv4 only. */
  private static final String ANY = "::";

  @Option(
      order = -20,
      names = "-s",
      paramLabel = "SERVER",
      description = "Name or address of the server; without it this is the server.")
  String server;

  @Option(
      order = -19,
      names = "-b",
      paramLabel = "ADDRESS",
      description =
          "Own address to bind to (default: any of the device for a server, for a client that by"
              + " which the server is reached).")
  String own;

  @Option(
      order = -18,
      names = "-f",
      paramLabel = "FORMAT",
      defaultValue = "NAME",
      description =
          "How the addresses are written: name, or one of ip, ipv6 and gid, which are not looked up"
              + " (default: name).")
  private AddressFormat format;

  @Option(
      order = -13,
      names = "-t",
      paramLabel = "TOS",
      description = "Type of service of the packets, 0 to 255 (default: 0).")
  Integer typeOfService;

  /** Refuses values out of range. */
  void check(CommandLine command) {
    if (typeOfService != null) {
      new RangeChecks(command).require("type of service", typeOfService, 0, MOST_TOS);
    }
  }

  boolean isServer() {
    return server == null;
  }

  /** Where to listen, or where from and where to connect. */
  RdmaAddrinfo addresses(RdmaCm host, int port, RdmaPortSpace space) {
    if (isServer()) {
      String anywhere = own == null ? ANY : own;
      return lookUp(host, anywhere, port, hints(space, RdmaAddrinfoFlag.PASSIVE));
    }
    RdmaAddrinfo hints = hints(space);
    if (own != null) {
      RdmaAddrinfo bound = lookUp(host, own, 0, hints(space, RdmaAddrinfoFlag.PASSIVE));
      hints = hints.withSrcAddr(bound.srcAddr());
    }
    return lookUp(host, server, port, hints);
  }

  private RdmaAddrinfo hints(RdmaPortSpace space, RdmaAddrinfoFlag... flags) {
    List<RdmaAddrinfoFlag> all = new ArrayList<>(List.of(flags));
    if (format.isNumeric()) {
      all.add(RdmaAddrinfoFlag.NUMERICHOST);
    }
    return RdmaAddrinfo.hints(space, all.toArray(RdmaAddrinfoFlag[]::new));
  }

  private static RdmaAddrinfo lookUp(RdmaCm host, String node, int port, RdmaAddrinfo hints) {
    return host.getaddrinfo(node, Integer.toString(port), hints).get(0);
  }
}
