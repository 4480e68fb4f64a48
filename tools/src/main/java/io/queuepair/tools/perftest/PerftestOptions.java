// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import io.queuepair.tools.cli.AckTimeoutCode;
import io.queuepair.tools.cli.PeerOptions;
import io.queuepair.tools.cli.RangeChecks;
import io.queuepair.verbs.QpType;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options, as perftest names them. {@link PerftestSettings} says what they mean. */
final class PerftestOptions {
  @Mixin PeerOptions side = new PeerOptions();

  @Option(
      names = {"-s", "--size"},
      paramLabel = "BYTES",
      description = "Size of a message (default: 65536 for bandwidth, 2 for latency).")
  Integer size;

  @Option(
      names = {"-a", "--all"},
      description =
          "Sizes from 2 to 2^23, each twice the last (UD: to the path MTU), whatever -s says.")
  boolean allSizes;

  @Option(
      names = {"-n", "--iters"},
      paramLabel = "COUNT",
      description = "Messages of a queue pair, at least 5 (default: 1000, 5000 for write-bw).")
  Integer iterations;

  @Option(
      names = {"-D", "--duration"},
      paramLabel = "SECONDS",
      description = "Run for this time instead; give it to both sides.")
  Integer duration;

  @Option(
      names = {"-f", "--margin"},
      paramLabel = "SECONDS",
      defaultValue = "2",
      description =
          "With -D: time at the beginning and at the end that does not count"
              + " (default ${DEFAULT-VALUE}).")
  int margin;

  @Option(
      names = {"-c", "--connection"},
      paramLabel = "TYPE",
      defaultValue = "RC",
      description = "Transport service: RC, UC, UD or XRC (default ${DEFAULT-VALUE}).")
  QpType connection;

  @Option(
      names = {"-b", "--bidirectional"},
      description = "Measure both directions at once (bandwidth only).")
  boolean bidirectional;

  @Option(
      names = {"-q", "--qp"},
      paramLabel = "COUNT",
      defaultValue = "1",
      description = "Queue pairs; give it to both sides (default ${DEFAULT-VALUE}).")
  int queuePairs;

  @Option(
      names = {"-m", "--mtu"},
      paramLabel = "BYTES",
      description = "Path MTU: 256 to 4096 (default: the port's); the smaller one of both sides.")
  Integer mtuBytes;

  @Option(
      names = {"-t", "--tx-depth"},
      paramLabel = "COUNT",
      defaultValue = "128",
      description = "Sends outstanding on a queue pair (default ${DEFAULT-VALUE}).")
  int txDepth;

  @Option(
      names = {"-r", "--rx-depth"},
      paramLabel = "COUNT",
      defaultValue = "512",
      description = "Receives posted on a queue pair (default ${DEFAULT-VALUE}).")
  int rxDepth;

  @Option(
      names = {"-Q", "--cq-mod"},
      paramLabel = "COUNT",
      description =
          "Ask for a completion after so many sends, at most a quarter of the depth (default 100;"
              + " with -l the list).")
  Integer cqModeration;

  @Option(
      names = {"-l", "--post_list"},
      paramLabel = "COUNT",
      defaultValue = "1",
      description = "Post lists of so many sends (default: those that share a completion).")
  int postList;

  @Option(
      names = {"-e", "--events"},
      description = "Sleep until completions are announced by events, instead of polling.")
  boolean usesEvents;

  @Option(
      names = {"-I", "--inline_size"},
      paramLabel = "BYTES",
      defaultValue = "0",
      description = "Send messages up to this size inline (default ${DEFAULT-VALUE}: none).")
  int inlineSize;

  @Option(
      names = "--use-srq",
      description = "Receive from a shared receive queue, whose depth is -r.")
  boolean usesSrq;

  @Option(
      names = {"-R", "--rdma_cm"},
      description =
          "Connect through the connection manager, which also carries what the sides tell each"
              + " other; give it to both sides. A server that does not answer is given up after"
              + " some 74 s.")
  boolean usesRdmaCm;

  @Option(
      names = "--connect-timeout",
      paramLabel = "SECONDS",
      defaultValue = "80",
      description =
          "With -R, how long to wait for the peer to connect (default ${DEFAULT-VALUE}; requests"
              + " are repeated for 74 s).")
  int connectTimeout;

  @Option(
      names = {"-o", "--outs"},
      paramLabel = "COUNT",
      description = "READs or atomics outstanding (default: what the device can).")
  Integer outReads;

  @Option(
      names = {"-A", "--atomic_type"},
      paramLabel = "TYPE",
      defaultValue = "FETCH_AND_ADD",
      description = "FETCH_AND_ADD or CMP_AND_SWAP (default ${DEFAULT-VALUE}).")
  AtomicType atomicType;

  @Option(
      names = {"-x", "--gid-index"},
      paramLabel = "INDEX",
      defaultValue = "0",
      description = "Index of the own GID (default ${DEFAULT-VALUE}: the address of --bind).")
  int gidIndex;

  @Option(
      names = {"-S", "--sl"},
      paramLabel = "LEVEL",
      defaultValue = "0",
      description = "Service level, 0 to 15 (default ${DEFAULT-VALUE}).")
  int serviceLevel;

  @Option(
      names = {"-F", "--CPU-freq"},
      description = "Accepted for scripts; the frequency of the processor is not looked at.")
  boolean ignoresFrequency;

  @Option(
      names = {"-u", "--qp-timeout", "--ack-timeout"},
      paramLabel = "CODE",
      description = {
        "Local ACK timeout code, 0 to 31: 4.096 us times 2 to that power; 0 waits for ever",
        "(default: $$QUEUEPAIR_ACK_TIMEOUT, else 14, which is 67 ms)."
      })
  private String ackTimeoutText;

  /** What it comes to, after {@link #readAckTimeout}. */
  int ackTimeout;

  @Option(
      names = "--report_gbits",
      description = "Bandwidth in 10^9 bits per second instead of 2^20 bytes.")
  boolean inGigabits;

  @Option(names = "--json", description = "Print one JSON document instead of the table.")
  boolean asJson;

  @Option(names = "--out_json", description = "Also write the JSON document to a file.")
  boolean savesJson;

  @Option(
      names = "--out_json_file",
      paramLabel = "FILE",
      defaultValue = "perftest_out.json",
      description = "With --out_json: which file (default ${DEFAULT-VALUE}).")
  Path jsonFile;

  @Option(
      names = "--plot",
      paramLabel = "FILE",
      description = "Draw size against bandwidth or latency, as SVG; most useful with -a.")
  Path plotFile;

  /** Refuses values out of range. */
  void readAckTimeout(RangeChecks rangeChecks) {
    ackTimeout = AckTimeoutCode.code(rangeChecks, ackTimeoutText, System.getenv());
  }
}
