// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.rdmacm;

import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaPortSpace;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Finds {@code udaddy}, or itself, and exchanges datagrams. */
@Command(
    name = "udaddy",
    sortOptions = false,
    description = {
      "Asks the connection manager of the server for queue pairs of type UD, sends datagrams to"
          + " them and receives as many answers: the other side of udaddy (rdma-core 44), with its"
          + " options, lines and exit codes.",
      "Without -s it is the server, for as many queue pairs as -c says; give both sides the same"
          + " -c, -C and -S. A message is one packet, so it cannot be longer than the MTU of the"
          + " port. Nothing is sent again: if a datagram is lost, both sides wait for ever. It ends"
          + " with the line 'return status N': 0, the status of the event that ended it, or -1 for"
          + " a call that was refused; the exit code is N, modulo 256.",
      "A server that does not answer is given up after some 66 s, as by Linux.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  queuepair udaddy --bind 127.0.0.2                a server",
      "  queuepair udaddy --bind 127.0.0.3 -s 127.0.0.2   its client, elsewhere",
      "",
      "  queuepair udaddy -S 1024     a server on this host, and the",
      "  udaddy -S 1024 -s HOST       client on Linux"
    })
public final class UdaddyCommand extends ExchangeCommand {
  private static final int PORT = 7174;

  @Mixin private AddressOptions addresses = new AddressOptions();
  @Mixin private DatagramPortSpace portSpace = new DatagramPortSpace();

  @Option(
      order = -17,
      names = "-P",
      paramLabel = "SPACE",
      description = "Port space by name, udp or ipoib (default: that of -p).")
  private PortSpace namedSpace;

  /** Creates the command, to be filled by picocli. */
  public UdaddyCommand() {}

  /** The port spaces of datagrams. */
  enum PortSpace {
    UDP,
    IPOIB;

    private RdmaPortSpace ofIds() {
      return this == UDP ? RdmaPortSpace.UDP : RdmaPortSpace.IPOIB;
    }
  }

  @Override
  void checkOptions(CommandLine command) {
    addresses.check(command);
    portSpace.check(command);
  }

  @Override
  String ownAddress() {
    return addresses.own;
  }

  @Override
  String peer() {
    return addresses.server;
  }

  @Override
  String prefix() {
    return "udaddy";
  }

  Integer typeOfService() {
    return addresses.typeOfService;
  }

  @Override
  int run(RdmaCm host) {
    say(prefix() + ": starting " + (addresses.isServer() ? "server" : "client"));
    RdmaPortSpace space = namedSpace == null ? portSpace.space() : namedSpace.ofIds();
    try (DatagramNodes nodes = new DatagramNodes(this, host, space)) {
      var found = addresses.addresses(host, PORT, space);
      return addresses.isServer() ? nodes.serve(found) : nodes.connect(found);
    }
  }
}
