// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.rdmacm;

import io.queuepair.emulator.fabric.IpAddress;
import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaMcJoinFlag;
import io.queuepair.tools.cli.IpAddressConverter;
import io.queuepair.tools.cli.RangeChecks;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Joins a multicast group with {@code mckey}, or with itself, and moves datagrams. */
@Command(
    name = "mckey",
    sortOptions = false,
    description = {
      "Joins a multicast group through the connection manager with queue pairs of type UD, and"
          + " sends datagrams to it or receives them: the other side of mckey (rdma-core 44), with"
          + " its options, lines and exit codes.",
      "Start the receivers, without -s, first; give all the same -c, -C and -S. A message is one"
          + " packet, so it cannot be longer than the MTU of the port. Nothing is sent again: if a"
          + " datagram is lost, the receiver waits for ever. It ends with the line 'return status"
          + " N': 0, the status of the event that ended it, or -1 for a call that was refused; the"
          + " exit code is N, modulo 256.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  queuepair mckey --bind 127.0.0.2 -m 239.192.0.7      a receiver",
      "  queuepair mckey --bind 127.0.0.3 -m 239.192.0.7 -s   the sender, elsewhere",
      "",
      "  queuepair mckey -m 239.192.0.7    a receiver on this host, and the",
      "  mckey -m 239.192.0.7 -s           sender on Linux"
    })
public final class MckeyCommand extends ExchangeCommand {
  private static final int MOST_PAUSE_SECONDS = 3600;

  @Option(
      order = -20,
      names = "-m",
      paramLabel = "GROUP",
      description = "Name or address of the multicast group.")
  private String group;

  @Option(
      order = -19,
      names = "-M",
      paramLabel = "GID",
      converter = IpAddressConverter.class,
      description = "The group as a GID, instead of -m; needs -b.")
  private String unmappedGroup;

  @Option(order = -18, names = "-s", description = "Send to the group (default: receive).")
  private boolean isSender;

  @Option(
      order = -17,
      names = "-b",
      paramLabel = "ADDRESS",
      description = "Own address to bind to (default: that of the device).")
  private String own;

  @Mixin private DatagramPortSpace portSpace = new DatagramPortSpace();

  @Option(order = -11, names = "-o", description = "Join only to send.")
  private boolean joinsToSend;

  @Option(
      order = -10,
      names = "-l",
      description = "Ask that the own messages do not come back to this host.")
  private boolean blocksLoopback;

  @Option(
      order = -9,
      names = "--pause",
      paramLabel = "SECONDS",
      defaultValue = "3",
      description =
          "How long to wait after joining, for the network to learn the way to the group (default"
              + " ${DEFAULT-VALUE}, as the original does).")
  private int pauseSeconds;

  /** Creates the command, to be filled by picocli. */
  public MckeyCommand() {}

  @Override
  void checkOptions(CommandLine command) {
    portSpace.check(command);
    RangeChecks rangeChecks = new RangeChecks(command);
    rangeChecks.require(group != null || unmappedGroup != null, "a group is needed: -m or -M");
    rangeChecks.require(group == null || unmappedGroup == null, "-M is instead of -m");
    rangeChecks.require(unmappedGroup == null || own != null, "-M needs -b");
    rangeChecks.require("pause", pauseSeconds, 0, MOST_PAUSE_SECONDS);
  }

  @Override
  String ownAddress() {
    return own;
  }

  /** The device is where the system would send to the group from. */
  @Override
  String peer() {
    return group;
  }

  @Override
  String prefix() {
    return "mckey";
  }

  boolean isSender() {
    return isSender;
  }

  boolean isUnmapped() {
    return unmappedGroup != null;
  }

  boolean blocksLoopback() {
    return blocksLoopback;
  }

  RdmaMcJoinFlag joinFlag() {
    return joinsToSend ? RdmaMcJoinFlag.SENDONLY_FULLMEMBER : RdmaMcJoinFlag.FULLMEMBER;
  }

  Duration pause() {
    return Duration.ofSeconds(pauseSeconds);
  }

  private InetSocketAddress groupAddress(RdmaCm host) {
    if (unmappedGroup != null) {
      InetAddress address = IpAddress.parse(unmappedGroup);
      return new InetSocketAddress(address, 0);
    }
    return host.getaddrinfo(group, null, null).get(0).dstAddr();
  }

  @Override
  int run(RdmaCm host) {
    say(prefix() + ": starting " + (isSender ? "client" : "server"));
    InetSocketAddress source =
        own == null ? null : host.getaddrinfo(own, null, null).get(0).dstAddr();
    try (GroupNodes nodes = new GroupNodes(this, host, groupAddress(host))) {
      return nodes.run(source, portSpace.space());
    }
  }
}
