// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Plays ping-pong with {@code ibv_rc_pingpong} or with itself. */
@Command(
    name = "rc-pingpong",
    sortOptions = false,
    description = {
      "Sends messages back and forth over a reliable connection and takes the time: the other side"
          + " of ibv_rc_pingpong (rdma-core 44), with its options, lines and TCP exchange.",
      "Without SERVER it waits for a client.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  queuepair rc-pingpong --bind 127.0.0.2             a server",
      "  queuepair rc-pingpong --bind 127.0.0.3 127.0.0.2   its client, elsewhere",
      "",
      "  queuepair rc-pingpong -c -n 100         a server on this host, and the",
      "  ibv_rc_pingpong -g 1 -c -n 100 HOST     client on Linux (-g: its IPv4 GID)"
    })
public final class RcPingpongCommand extends TimedPingpongCommand {
  @Mixin private PathMtuOption pathMtu = new PathMtuOption();
  @Mixin private AckTimeoutOption ackTimeout = new AckTimeoutOption();
  @Mixin private PingpongUnsupportedOptions unoffered = new PingpongUnsupportedOptions();

  /** Creates the command, to be filled by picocli. */
  public RcPingpongCommand() {}

  @Override
  void checkOptions(CommandLine command) {
    unoffered.check(command);
    super.checkOptions(command);
    pathMtu.check(command);
    ackTimeout.check(command);
  }

  @Override
  PingpongTransport service() {
    return new ReliableConnection(pathMtu.mtu(), ackTimeout.code);
  }
}
