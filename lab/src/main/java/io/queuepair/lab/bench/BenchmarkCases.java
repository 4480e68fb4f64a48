// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import static io.queuepair.lab.bench.BenchmarkNetwork.MEMORY;
import static io.queuepair.lab.bench.BenchmarkNetwork.MEMORY_BURSTS;
import static io.queuepair.lab.bench.BenchmarkNetwork.UDP;
import static io.queuepair.lab.bench.BenchmarkNetwork.UDP_BY_CALLERS;

import io.queuepair.lab.bench.WriteStream.StreamShape;
import java.util.List;

/** Table of all benchmarks and their goals. */
final class BenchmarkCases {
  private static final int MIB = 1 << 20;
  private static final int SPAN_BYTES = 64 * MIB;
  private static final int SMALL_BYTES = 8;
  private static final int PING_BYTES = 64;

  /** Payload of a UDP datagram with the same message: BTH, 64 bytes and ICRC. */
  private static final int PING_DATAGRAM_BYTES = PING_BYTES + 16;

  /** Rows in the order of measurement; no two have the same name. */
  static final List<BenchmarkCase> ALL =
      List.of(
          largeWrites(
                  "udp-write-1m",
                  "RC WRITE 1 MiB, MTU 4096, UDP loopback",
                  0.65,
                  () -> new WriteStream(UDP, StreamShape.large(MIB, MIB)))
              .beside("blocks of 1 MiB over a TCP connection of the JDK", () -> new TcpStream(MIB)),
          smallWrites("udp-write-8b", "UDP loopback, 1 QP", 1.5, UDP, 1),
          smallWrites("udp-write-8b-64qp", "UDP loopback, 64 QPs", 1.5, UDP, 64),
          new BenchmarkCase(
              "udp-send-64b-spin",
              "RC SEND 64 B one way, UDP loopback, moved by two callers who spin",
              Unit.MICROSECONDS,
              Threshold.atMost(4),
              () -> new SendPingPong(UDP_BY_CALLERS, PING_BYTES, false)),
          sends("udp-send-64b-spin-background", "spinning", 2, false),
          sends("udp-send-64b-block-background", "blocking on a channel", 1.3, true),
          connections("mem-connect", "in memory", MEMORY),
          connections("udp-connect", "UDP loopback", UDP),
          smallWrites("mem-write-8b", "in memory, packets in bursts", 5, MEMORY_BURSTS, 1),
          smallWrites("mem-write-8b-single", "in memory, packets one by one", 4, MEMORY, 1),
          largeWrites(
                  "mem-write-1m",
                  "RC WRITE 1 MiB, in memory, packets in bursts, over 64 MiB",
                  0.5,
                  () -> new WriteStream(MEMORY_BURSTS, StreamShape.large(MIB, SPAN_BYTES)))
              .beside("copies of 1 MiB over 64 MiB", () -> new MemoryCopyLoad(MIB, SPAN_BYTES)),
          new BenchmarkCase(
              "mem-send-64b",
              "RC SEND 64 B one way, in memory",
              Unit.MICROSECONDS,
              Threshold.atMost(0.4),
              () -> new SendPingPong(MEMORY, PING_BYTES, false)));

  private BenchmarkCases() {}

  private static BenchmarkCase largeWrites(
      String name, String title, double ratio, Load.LoadOpener load) {
    Threshold goal = Threshold.ratioAtLeast(ratio);
    return new BenchmarkCase(name, title, Unit.GIGABYTES_PER_SECOND, goal, load);
  }

  private static BenchmarkCase smallWrites(
      String name, String where, double millions, BenchmarkNetwork network, int queuePairs) {
    return new BenchmarkCase(
        name,
        "RC WRITE 8 B, " + where,
        Unit.MILLIONS_PER_SECOND,
        Threshold.atLeast(millions),
        () -> new WriteStream(network, StreamShape.small(SMALL_BYTES, queuePairs)));
  }

  private static BenchmarkCase sends(String name, String how, double ratio, boolean isBlocking) {
    return new BenchmarkCase(
            name,
            "RC SEND 64 B one way, UDP loopback, " + how + ", in the background",
            Unit.MICROSECONDS,
            Threshold.ratioAtMost(ratio),
            () -> new SendPingPong(UDP, PING_BYTES, isBlocking))
        .beside(
            "datagram of a JDK socket, " + (isBlocking ? "blocking" : "spinning"),
            () -> new SocketPingPong(PING_DATAGRAM_BYTES, isBlocking));
  }

  private static BenchmarkCase connections(String name, String where, BenchmarkNetwork network) {
    return new BenchmarkCase(
            name,
            "connections made and ended by rdma_cm, " + where,
            Unit.THOUSANDS_PER_SECOND,
            Threshold.ratioAtLeast(0.1),
            () -> new ConnectionLoad(network))
        .beside("TCP connections of the JDK", TcpConnectionLoad::new);
  }
}
