// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import io.queuepair.tools.cli.RangeChecks;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Plays ping-pong with {@code ibv_srq_pingpong} or with itself. */
@Command(
    name = "srq-pingpong",
    sortOptions = false,
    description = {
      "Sends messages back and forth over several reliable connections, whose queue pairs share one"
          + " receive queue, and takes the time: the other side of ibv_srq_pingpong (rdma-core 44),"
          + " with its options, lines and TCP exchange.",
      "Without SERVER it waits for a client. Both sides need the same -q.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  queuepair srq-pingpong --bind 127.0.0.2             a server",
      "  queuepair srq-pingpong --bind 127.0.0.3 127.0.0.2   its client, elsewhere",
      "",
      "  queuepair srq-pingpong -q 4 -c          a server on this host, and the",
      "  ibv_srq_pingpong -g 1 -q 4 -c HOST      client on Linux (-g: its IPv4 GID)"
    })
public final class SrqPingpongCommand extends TimedPingpongCommand {
  /** As many addresses are exchanged, however many queue pairs there are. */
  private static final int ADDRESSES = 256;

  @Mixin private PathMtuOption pathMtu = new PathMtuOption();
  @Mixin private AckTimeoutOption ackTimeout = new AckTimeoutOption();
  @Mixin private PingpongUnsupportedOptions unoffered = new PingpongUnsupportedOptions();

  @Option(
      order = -15,
      names = {"-q", "--num-qp"},
      paramLabel = "COUNT",
      defaultValue = "16",
      description = "Queue pairs to use, 1 to 255 (default ${DEFAULT-VALUE}).")
  private int queuePairCount;

  /** Creates the command, to be filled by picocli. */
  public SrqPingpongCommand() {}

  @Override
  void checkOptions(CommandLine command) {
    unoffered.check(command);
    super.checkOptions(command);
    pathMtu.check(command);
    ackTimeout.check(command);
    new RangeChecks(command).require("num-qp", queuePairCount, 1, ADDRESSES - 1);
    if (rxDepth() < queuePairCount) {
      throw new ParameterException(
          command,
          "rx-depth "
              + rxDepth()
              + " is too small for "
              + queuePairCount
              + " queue pairs: each needs a receive");
    }
  }

  @Override
  PingpongTransport service() {
    return new ReliableConnection(pathMtu.mtu(), ackTimeout.code);
  }

  @Override
  int queuePairCount() {
    return queuePairCount;
  }

  @Override
  int addressSlots() {
    return ADDRESSES;
  }

  @Override
  ConnectedQueuePairs createQueuePairs(PingpongContext endpoint) {
    return ConnectedQueuePairs.sharing(endpoint, service(), queuePairCount, rxDepth());
  }
}
