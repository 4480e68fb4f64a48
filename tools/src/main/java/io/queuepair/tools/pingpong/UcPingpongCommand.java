// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Plays ping-pong with {@code ibv_uc_pingpong} or with itself. */
@Command(
    name = "uc-pingpong",
    sortOptions = false,
    description = {
      "Sends messages back and forth over an unreliable connection and takes the time: the other"
          + " side of ibv_uc_pingpong (rdma-core 44), with its options, lines and TCP exchange.",
      "Without SERVER it waits for a client. Nothing is acknowledged and nothing sent again: if a"
          + " packet is lost, both sides wait for ever.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  queuepair uc-pingpong --bind 127.0.0.2             a server",
      "  queuepair uc-pingpong --bind 127.0.0.3 127.0.0.2   its client, elsewhere",
      "",
      "  queuepair uc-pingpong -c -n 100         a server on this host, and the",
      "  ibv_uc_pingpong -g 1 -c -n 100 HOST     client on Linux (-g: its IPv4 GID)"
    })
public final class UcPingpongCommand extends TimedPingpongCommand {
  @Mixin private PathMtuOption pathMtu = new PathMtuOption();

  /** Creates the command, to be filled by picocli. */
  public UcPingpongCommand() {}

  @Override
  void checkOptions(CommandLine command) {
    super.checkOptions(command);
    pathMtu.check(command);
  }

  @Override
  PingpongTransport service() {
    return new UnreliableConnection(pathMtu.mtu());
  }
}
