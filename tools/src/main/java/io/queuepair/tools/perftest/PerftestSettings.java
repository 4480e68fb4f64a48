// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpType;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What one side does, after the options.
 *
 * @param benchmark which command
 * @param options checked
 * @param isServer whether this side waited for the other
 */
record PerftestSettings(Benchmark benchmark, PerftestOptions options, boolean isServer) {
  /** What perftest cuts the size of inline datagrams to. */
  static final int MAX_INLINE_UD = 188;

  private static final int USUAL_CQ_MODERATION = 100;
  private static final int LARGEST_POWER = 23;

  PerftestOperation operation() {
    return benchmark.operation();
  }

  QpType service() {
    return options.connection;
  }

  boolean isLatency() {
    return benchmark.metric() == Metric.LATENCY;
  }

  boolean isBidirectional() {
    return options.bidirectional;
  }

  /** Whether this side posts what is measured. */
  boolean isSending() {
    return !isServer || isBidirectional() || isPlayingBoth();
  }

  /** Whether messages take receives of this side. */
  boolean isReceiving() {
    return operation() == PerftestOperation.SEND && (isServer || isBidirectional() || isLatency());
  }

  /** A ping-pong needs both; the target of READs and atomics has nothing to do. */
  private boolean isPlayingBoth() {
    return isLatency() && !operation().isAnswered();
  }

  /** Whether the original prepares both sides to send, also if only one does. */
  boolean isTwoWay() {
    return isLatency() || isBidirectional();
  }

  boolean isXrc() {
    return service() == QpType.XRC_SEND;
  }

  boolean isReliable() {
    return service() == QpType.RC || isXrc();
  }

  /** As the command line has it. */
  String serviceName() {
    return TransportConverter.nameOf(service());
  }

  /** Whether the receives of all queue pairs are in one queue. */
  boolean sharesReceives() {
    return isXrc() || (options.usesSrq && isReceiving());
  }

  /** The longest message that is sent inline: 0 if none is. */
  int inlineSize() {
    int wanted = operation().isAnswered() ? 0 : options.inlineSize;
    return service() == QpType.UD ? Math.min(wanted, MAX_INLINE_UD) : wanted;
  }

  /** How many times the latency one iteration takes. */
  int ways() {
    return isPlayingBoth() ? 2 : 1;
  }

  boolean isTimed() {
    return options.duration != null;
  }

  Duration connectTimeout() {
    return Duration.ofSeconds(options.connectTimeout);
  }

  Duration duration() {
    return Duration.ofSeconds(options.duration);
  }

  Duration margin() {
    return Duration.ofSeconds(options.margin);
  }

  int iterations() {
    return options.iterations != null ? options.iterations : benchmark.iterations();
  }

  int txDepth() {
    int wanted = isLatency() ? 1 : options.txDepth;
    return isTimed() ? wanted : Math.min(wanted, iterations());
  }

  int rxDepth() {
    return isTimed() ? options.rxDepth : Math.min(options.rxDepth, iterations());
  }

  /** Sends for one completion: few enough that the next ones are posted before all are done. */
  int cqModeration() {
    if (options.postList > 1) {
      return options.cqModeration == null ? options.postList : options.cqModeration;
    }
    int wanted = options.cqModeration == null ? USUAL_CQ_MODERATION : options.cqModeration;
    return Math.max(1, Math.min(wanted, txDepth() / 4));
  }

  /** Sends that are posted in one call. */
  int postList() {
    return options.postList > 1 ? options.postList : cqModeration();
  }

  /** Sizes to run, in order. */
  List<Integer> sizes(Mtu mtu) {
    if (options.allSizes) {
      return IntStream.rangeClosed(1, LARGEST_POWER)
          .map(power -> 1 << power)
          .filter(size -> service() != QpType.UD || size <= mtu.bytes())
          .boxed()
          .toList();
    }
    return List.of(service() == QpType.UD ? datagramSize(mtu) : size());
  }

  /**
   * Refuses what cannot be run.
   *
   * @throws CommandFailure if a message is longer than the service can carry
   */
  void requireSizesFor(Mtu mtu) {
    sizes(mtu);
  }

  private int size() {
    return options.size != null ? options.size : benchmark.sizeBytes();
  }

  private int datagramSize(Mtu mtu) {
    if (options.size != null && options.size > mtu.bytes()) {
      throw new CommandFailure(
          "size " + options.size + " is above the path MTU " + mtu.bytes() + ", the most of UD");
    }
    return Math.min(size(), mtu.bytes());
  }

  /** The largest size, for which memory is needed. */
  int largestSize(Mtu mtu) {
    List<Integer> sizes = sizes(mtu);
    return sizes.get(sizes.size() - 1);
  }

  /** As perftest prints it over its results. */
  String title() {
    String what = operation().title();
    if (operation() == PerftestOperation.ATOMIC) {
      what += " " + options.atomicType;
    }
    return what
        + (isBidirectional() ? " Bidirectional " : " ")
        + benchmark.metric().title()
        + " Test";
  }
}
