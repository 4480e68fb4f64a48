// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import io.queuepair.tools.cli.RangeChecks;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpType;
import java.util.Arrays;

/** Refuses options that do not fit: each with one sentence that names the culprit and the limit. */
record OptionRules(RangeChecks rangeChecks, Benchmark benchmark, PerftestOptions options) {
  private static final int LARGEST_SIZE = 1 << 30;
  private static final int LARGEST_COUNT = 100_000_000;
  private static final int FEWEST_ITERATIONS = 5;
  private static final int MOST_QUEUE_PAIRS = 1024;
  private static final int DEEPEST_TX = 16_384;
  private static final int DEEPEST_RX = 32_768;
  private static final int MOST_INLINE = 912;
  private static final int MOST_OUT_READS = 128;
  private static final int LONGEST_DURATION = 1_000_000;

  void check() {
    checkNumbers();
    checkMtu();
    if (benchmark.metric() == Metric.LATENCY) {
      require(!options.bidirectional, "-b is for bandwidth, not for " + benchmark.commandName());
      require(options.queuePairs == 1, benchmark.commandName() + " uses one queue pair, not -q");
    }
    if (benchmark.operation() == PerftestOperation.ATOMIC) {
      require(!options.allSizes, "-a is not for atomics, which move 8 bytes");
      require(
          options.size == null || options.size == Benchmark.ATOMIC_BYTES,
          "size " + options.size + " is not for atomics, which move 8 bytes");
    }
    if (options.connection == QpType.UD && options.size != null && !options.allSizes) {
      int most = options.mtuBytes == null ? Mtu.MTU_4096.bytes() : options.mtuBytes;
      require(
          options.size <= most,
          "size " + options.size + " is above the path MTU " + most + ", the most of UD");
    }
    if (options.duration != null) {
      checkDuration();
    }
    checkCompletions();
    checkPostList();
    checkSharedReceives();
    checkConnectionManager();
    require(
        !rangeChecks.isGiven("--out_json_file") || options.savesJson,
        "--out_json_file needs --out_json");
  }

  private void checkNumbers() {
    within("size", options.size, 1, LARGEST_SIZE);
    within("iters", options.iterations, FEWEST_ITERATIONS, LARGEST_COUNT);
    within("qp", options.queuePairs, 1, MOST_QUEUE_PAIRS);
    within("tx-depth", options.txDepth, 1, DEEPEST_TX);
    within("rx-depth", options.rxDepth, 1, DEEPEST_RX);
    within("cq-mod", options.cqModeration, 1, DEEPEST_TX);
    within("post_list", options.postList, 0, DEEPEST_TX);
    within("inline_size", options.inlineSize, 0, MOST_INLINE);
    within("outs", options.outReads, 1, MOST_OUT_READS);
    within("gid-index", options.gidIndex, 0, Integer.MAX_VALUE);
    within("service level", options.serviceLevel, 0, 15);
    within("connect-timeout", options.connectTimeout, 1, LONGEST_DURATION);
    within("duration", options.duration, 1, LONGEST_DURATION);
    within("margin", options.margin, 0, LONGEST_DURATION);
  }

  private void checkMtu() {
    boolean isOne =
        options.mtuBytes == null
            || Arrays.stream(Mtu.values()).anyMatch(mtu -> mtu.bytes() == options.mtuBytes);
    require(isOne, "mtu " + options.mtuBytes + " is not 256, 512, 1024, 2048 or 4096");
  }

  private void checkCompletions() {
    require(
        !options.usesEvents || benchmark.operation() != PerftestOperation.WRITE,
        "-e is not for " + benchmark.commandName() + ", as WRITEs are not announced to the target");
    require(
        !options.usesEvents || options.duration == null,
        "-e and -D do not go together: choose events or a time");
    require(
        options.inlineSize == 0 || !benchmark.operation().isAnswered(),
        "-I is not for " + benchmark.commandName() + ", which sends no data");
  }

  private void checkPostList() {
    int list = options.postList;
    if (list <= 1) {
      return;
    }
    require(
        benchmark.metric() == Metric.BANDWIDTH,
        "-l is for bandwidth, not for " + benchmark.commandName());
    PerftestSettings settings = new PerftestSettings(benchmark, options, false);
    require(
        settings.isTimed() || settings.iterations() % list == 0,
        "iters " + settings.iterations() + " is not a multiple of the list of " + list + " (-l)");
    require(
        list % settings.cqModeration() == 0,
        "the list of " + list + " (-l) is not a multiple of cq-mod " + settings.cqModeration());
    require(
        list <= settings.txDepth(),
        "the list of " + list + " (-l) is above tx-depth " + settings.txDepth());
  }

  private void checkSharedReceives() {
    boolean isSend = benchmark.operation() == PerftestOperation.SEND;
    require(!options.usesSrq || isSend, "--use-srq is for SENDs, not " + benchmark.commandName());
    require(
        !options.usesSrq || options.connection != QpType.UC,
        "--use-srq does not go with -c UC: such queue pairs have receive queues of their own");
    PerftestSettings settings = new PerftestSettings(benchmark, options, true);
    require(
        !isSend || !settings.sharesReceives() || options.queuePairs <= settings.rxDepth(),
        "rx-depth " + settings.rxDepth() + " is below the queue pairs that share it (-q)");
  }

  private void checkConnectionManager() {
    if (!options.usesRdmaCm) {
      return;
    }
    require(options.connection != QpType.UC, "-R does not go with -c UC: librdmacm has no UC");
    require(options.connection != QpType.XRC_SEND, "-R does not go with -c XRC, as in perftest");
    require(
        !rangeChecks.isGiven("--listen"),
        "--listen is for TCP: with -R a server listens at the address of its device (--bind)");
  }

  private void checkDuration() {
    require(!options.allSizes, "-a and -D do not go together: choose sizes or a time");
    require(options.iterations == null, "-n and -D do not go together: choose a count or a time");
    require(
        options.duration > 2L * options.margin,
        "duration "
            + options.duration
            + " s is not above twice the margin of "
            + options.margin
            + " s; set the margin with -f");
  }

  private void within(String what, Integer value, int least, int most) {
    if (value != null) {
      rangeChecks.require(what, value, least, most);
    }
  }

  private void require(boolean isFine, String trouble) {
    rangeChecks.require(isFine, trouble);
  }
}
