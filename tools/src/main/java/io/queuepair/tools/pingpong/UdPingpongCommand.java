// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import picocli.CommandLine.Command;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Plays ping-pong with {@code ibv_ud_pingpong} or with itself. */
@Command(
    name = "ud-pingpong",
    sortOptions = false,
    defaultValueProvider = UdPingpongCommand.Defaults.class,
    description = {
      "Sends datagrams back and forth and takes the time: the other side of ibv_ud_pingpong"
          + " (rdma-core 44), with its options, lines and TCP exchange.",
      "Without SERVER it waits for a client. A message is one packet, so it cannot be longer than"
          + " the MTU of the port: 1024 on Ethernet with its usual 1500, 4096 on loopback. Nothing"
          + " is sent again: if a packet is lost, both sides wait for ever.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  queuepair ud-pingpong --bind 127.0.0.2             a server",
      "  queuepair ud-pingpong --bind 127.0.0.3 127.0.0.2   its client, elsewhere",
      "",
      "  queuepair ud-pingpong -c -s 1024        a server on this host, and the",
      "  ibv_ud_pingpong -g 1 -c -s 1024 HOST    client on Linux (-g: its IPv4 GID)"
    })
public final class UdPingpongCommand extends TimedPingpongCommand {
  /** Creates the command, to be filled by picocli. */
  public UdPingpongCommand() {}

  @Override
  PingpongTransport service() {
    return new Datagram();
  }

  /** The original prints a colon before the GID, and only there. */
  @Override
  String localLine(PeerAddress own) {
    return super.localLine(own).replace(", GID", ": GID");
  }

  /** Where the original has another default than the other ping-pongs. */
  static final class Defaults implements IDefaultValueProvider {
    private static final String SIZE = "2048";

    @Override
    public String defaultValue(ArgSpec option) {
      boolean isSize = option instanceof OptionSpec named && named.longestName().equals("--size");
      return isSize ? SIZE : null;
    }
  }
}
