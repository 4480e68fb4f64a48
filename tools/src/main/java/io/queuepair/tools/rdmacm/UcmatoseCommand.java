// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.rdmacm;

import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.tools.cli.RangeChecks;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Connects to {@code ucmatose}, or to itself, and moves messages. */
@Command(
    name = "ucmatose",
    sortOptions = false,
    description = {
      "Connects queue pairs of type RC through the connection manager, sends messages from the"
          + " server to the client and back, and disconnects: the other side of ucmatose"
          + " (rdma-core 44), with its options, lines and exit codes.",
      "Without -s it is the server, for as many connections as -c says; give both sides the same"
          + " -c, -C and -S. It ends with the line 'return status N': 0, the status of the event"
          + " that ended it, or -1 for a call that was refused; the exit code is N, modulo 256.",
      "A server that does not answer is given up after some 74 s, as by Linux.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  queuepair ucmatose --bind 127.0.0.2                a server",
      "  queuepair ucmatose --bind 127.0.0.3 -s 127.0.0.2   its client, elsewhere",
      "",
      "  queuepair ucmatose -c 4 -S 65536     a server on this host, and the",
      "  ucmatose -c 4 -S 65536 -s HOST       client on Linux"
    })
public final class UcmatoseCommand extends ExchangeCommand {
  private static final int MAX_PORT = 65_535;
  private static final int MAX_ACK_TIMEOUT = 31;

  @Mixin private AddressOptions addresses = new AddressOptions();

  @Option(
      order = -17,
      names = "-P",
      paramLabel = "SPACE",
      defaultValue = "TCP",
      description = "Port space of the connections, tcp or ib (default: tcp).")
  private PortSpace portSpace;

  @Option(
      order = -12,
      names = "-p",
      paramLabel = "PORT",
      defaultValue = "7471",
      description = "Port where the server listens (default ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      order = -11,
      names = "-m",
      description = "Before disconnecting, migrate all ids to another event channel.")
  private boolean migrates;

  @Option(
      order = -10,
      names = "-a",
      paramLabel = "CODE",
      description =
          "Of a client: local ACK timeout code, 0 to 31: 4.096 us times 2 to that power (default:"
              + " computed from the path).")
  private Integer ackTimeout;

  /** Creates the command, to be filled by picocli. */
  public UcmatoseCommand() {}

  /** The port spaces of connections. */
  enum PortSpace {
    TCP,
    IB;

    private RdmaPortSpace ofIds() {
      return this == TCP ? RdmaPortSpace.TCP : RdmaPortSpace.IB;
    }
  }

  @Override
  void checkOptions(CommandLine command) {
    addresses.check(command);
    RangeChecks rangeChecks = new RangeChecks(command);
    rangeChecks.require("port", port, 1, MAX_PORT);
    if (ackTimeout != null) {
      rangeChecks.require("ACK timeout", ackTimeout, 0, MAX_ACK_TIMEOUT);
    }
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
    return "cmatose";
  }

  boolean migrates() {
    return migrates;
  }

  Integer ackTimeout() {
    return ackTimeout;
  }

  Integer typeOfService() {
    return addresses.typeOfService;
  }

  @Override
  int run(RdmaCm host) {
    say(prefix() + ": starting " + (addresses.isServer() ? "server" : "client"));
    RdmaPortSpace space = portSpace.ofIds();
    try (ConnectedNodes nodes = new ConnectedNodes(this, host, space)) {
      var found = addresses.addresses(host, port, space);
      return addresses.isServer() ? nodes.serve(found) : nodes.connect(found);
    }
  }
}
