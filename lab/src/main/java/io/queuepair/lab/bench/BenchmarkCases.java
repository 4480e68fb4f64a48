// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import static io.queuepair.lab.bench.BenchmarkNetwork.MEMORY;
import static io.queuepair.lab.bench.BenchmarkNetwork.MEMORY_BACKGROUND;
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
  private static final int MANY_DEVICES = 1_000;
  private static final int HOSTS = 10_000;

  /** Payload of a UDP datagram with the same message: BTH, 64 bytes and ICRC. */
  private static final int PING_DATAGRAM_BYTES = PING_BYTES + 16;

  private static final String ONE_WAY = "RC SEND 64 B one way";
  private static final String CHAIN = "chain of the cache lines of a WRITE";

  /** Rows in the order of measurement; no two have the same name. */
  static final List<BenchmarkCase> ALL =
      List.of(
          largeWrites(
                  "udp-write-1m",
                  "RC WRITE 1 MiB, MTU 4096, UDP loopback",
                  0.65,
                  () -> new WriteStream(UDP, StreamShape.large(MIB, MIB)))
              .beside(
                  "blocks of 1 MiB over a TCP connection of the JDK",
                  () -> nanos -> ReferenceLoads.streamTcp(MIB, nanos)),
          smallWrites("udp-write-8b", "UDP loopback, 1 QP", 1.5, UDP, 1),
          smallWrites("udp-write-8b-64qp", "UDP loopback, 64 QPs", 1.5, UDP, 64),
          callersWhoSpin(
                  "udp-send-64b-spin", ONE_WAY, Unit.MICROSECONDS, Threshold.ratioAtMost(1.05))
              .besideProgram(ExternalLoad.UCX),
          callersWhoSpin(
                  "udp-send-64b-spin-lf", ONE_WAY, Unit.MICROSECONDS, Threshold.ratioAtMost(1))
              .besideProgram(ExternalLoad.LIBFABRIC),
          bound(
                  "bound-udp-spin",
                  "a datagram of 80 B of a JDK socket, spinning, and mem-send-64b",
                  () -> ReferenceLoads.sum(datagrams(false), inMemory()))
              .besideProgram(ExternalLoad.UCX),
          callersWhoSpin(
                  "allocation-udp-send",
                  "heap for an RC SEND 64 B and its ACK",
                  Unit.BYTES,
                  Threshold.atMost(200))
              .beside("the same in memory", BenchmarkCases::inMemory),
          sends("udp-send-64b-spin-background", "spinning", 2.4, false),
          bound(
                  "bound-udp-background",
                  "a datagram of 80 B of a JDK socket, both ends on one thread, and mem-send-64b",
                  () ->
                      ReferenceLoads.sum(
                          nanos -> ReferenceLoads.passDatagrams(PING_DATAGRAM_BYTES, nanos),
                          inMemory()))
              .beside("datagram of a JDK socket, spinning", () -> datagrams(false)),
          sends("udp-send-64b-block-background", "blocking on a channel", 1.3, true),
          connections("mem-connect", "in memory", 0.5, MEMORY),
          connections("udp-connect", "UDP loopback", 0.2, UDP),
          new BenchmarkCase(
              "mem-hosts",
              "10,000 hosts created, connected in a ring and closed, in memory",
              Unit.THOUSANDS_PER_SECOND,
              Threshold.atLeast(2),
              () ->
                  nanos -> {
                    new RingOfDevices(HOSTS).close();
                    return HOSTS;
                  }),
          smallWrites("mem-write-8b", "in memory, packets in bursts", 5, MEMORY_BURSTS, 1)
              .beside(CHAIN, () -> ReferenceLoads.chain(2)),
          smallWrites("mem-write-8b-background", "in memory, real time", 5, MEMORY_BACKGROUND, 1)
              .beside(CHAIN, () -> ReferenceLoads.chain(2)),
          smallWrites("mem-write-8b-single", "in memory, packets one by one", 4, MEMORY, 1)
              .beside(CHAIN, () -> ReferenceLoads.chain(2)),
          largeWrites(
                  "mem-write-1m",
                  "RC WRITE 1 MiB, in memory, packets in bursts, over 64 MiB",
                  0.5,
                  () -> new WriteStream(MEMORY_BURSTS, StreamShape.large(MIB, SPAN_BYTES)))
              .beside("copies of 1 MiB over 64 MiB", () -> ReferenceLoads.copies(MIB, SPAN_BYTES)),
          new BenchmarkCase(
                  "mem-send-64b",
                  ONE_WAY + ", in memory",
                  Unit.MICROSECONDS,
                  Threshold.atMost(0.5),
                  BenchmarkCases::inMemory)
              .beside(CHAIN, () -> ReferenceLoads.chain(2)),
          new BenchmarkCase(
                  "mem-write-8b-1000-devices",
                  "RC WRITE 8 B in memory, from each of 1,000 devices to the next one",
                  Unit.MICROSECONDS,
                  Threshold.ratioAtMost(1.5),
                  () -> new RingOfDevices(MANY_DEVICES))
              .beside("the same among two devices", () -> new RingOfDevices(2)),
          bound(
                  "bound-1000-devices",
                  "chain of as many cache lines of 1,000 devices as a WRITE uses of two",
                  () -> ReferenceLoads.chain(MANY_DEVICES))
              .beside("the same of two devices", () -> ReferenceLoads.chain(2)));

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

  private static BenchmarkCase callersWhoSpin(String name, String what, Unit unit, Threshold goal) {
    return new BenchmarkCase(
        name,
        what + ", UDP loopback, moved by two callers who spin",
        unit,
        goal,
        () -> new SendPingPong(UDP_BY_CALLERS, PING_BYTES, false));
  }

  private static BenchmarkCase sends(String name, String how, double ratio, boolean isBlocking) {
    return new BenchmarkCase(
            name,
            ONE_WAY + ", UDP loopback, " + how + ", in the background",
            Unit.MICROSECONDS,
            Threshold.ratioAtMost(ratio),
            () -> new SendPingPong(UDP, PING_BYTES, isBlocking))
        .beside(
            "datagram of a JDK socket, " + (isBlocking ? "blocking" : "spinning"),
            () -> datagrams(isBlocking));
  }

  private static BenchmarkCase bound(String name, String title, Load.LoadOpener load) {
    return new BenchmarkCase(name, title, Unit.MICROSECONDS, null, load);
  }

  private static Load datagrams(boolean isBlocking) {
    return nanos -> ReferenceLoads.playDatagrams(PING_DATAGRAM_BYTES, isBlocking, nanos);
  }

  private static Load inMemory() {
    return new SendPingPong(MEMORY, PING_BYTES, false);
  }

  private static BenchmarkCase connections(
      String name, String where, double ratio, BenchmarkNetwork network) {
    return new BenchmarkCase(
            name,
            "connections made and ended by rdma_cm, " + where,
            Unit.THOUSANDS_PER_SECOND,
            Threshold.ratioAtLeast(ratio),
            () -> new ConnectionLoad(network))
        .beside("TCP connections of the JDK", () -> ReferenceLoads::connectTcp);
  }
}
