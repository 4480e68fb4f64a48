// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import static io.queuepair.lab.bench.Unit.BYTES;
import static io.queuepair.lab.bench.Unit.GIGABYTES_PER_SECOND;
import static io.queuepair.lab.bench.Unit.MICROSECONDS;
import static io.queuepair.lab.bench.Unit.MILLIONS_PER_SECOND;
import static io.queuepair.lab.bench.Unit.NANOSECONDS;
import static io.queuepair.lab.bench.Unit.SECONDS;
import static io.queuepair.lab.bench.Unit.THOUSANDS_PER_SECOND;

import io.queuepair.lab.bench.baseline.DatagramFlood;
import io.queuepair.lab.bench.baseline.MemoryCopy;
import io.queuepair.lab.bench.baseline.SocketPingPong;
import io.queuepair.lab.bench.baseline.TcpConnections;
import io.queuepair.lab.bench.load.BenchmarkNetwork;
import io.queuepair.lab.bench.load.ConnectionLoad;
import io.queuepair.lab.bench.load.IdleQpLoad;
import io.queuepair.lab.bench.load.Load;
import io.queuepair.lab.bench.load.PostingLoad;
import io.queuepair.lab.bench.load.PostingLoad.PostingForm;
import io.queuepair.lab.bench.load.SendPingPong;
import io.queuepair.lab.bench.load.SendPingPong.WaitMode;
import io.queuepair.lab.bench.load.WriteBesideReads;
import io.queuepair.lab.bench.load.WriteStream;
import io.queuepair.lab.bench.load.WriteStream.StreamShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** The table of all benchmarks, and what each row is to reach. */
final class BenchmarkCases {
  private static final int MIB = 1 << 20;
  private static final int SPAN_BYTES = 64 * MIB;
  private static final int MTU_BYTES = 4096;

  /** BTH, mostly without RETH, and ICRC. */
  private static final int HEADER_BYTES = 16;

  /** BTH, RETH, eight bytes and ICRC. */
  private static final int SMALL_DATAGRAM_BYTES = 40;

  private static final int SMALL_BYTES = 8;
  private static final int MANY_QPS = 1024;
  private static final int MANY_OUTSTANDING = 2 * MANY_QPS;
  private static final int PING_BYTES = 64;

  /** What gains less than a fifth is not worth its code. */
  private static final double WORTH_IT = 1.2;

  /** BTH, 64 bytes and ICRC. */
  private static final int PING_DATAGRAM_BYTES = PING_BYTES + HEADER_BYTES;

  /** In the order in which they are measured; no two have the same name. */
  static final List<BenchmarkCase> ALL = all();

  private BenchmarkCases() {}

  /** The row of a name, of the table or a sweep. */
  static BenchmarkCase named(String name) {
    return Stream.concat(
            ALL.stream(), Arrays.stream(ScalingChart.values()).flatMap(ScalingChart::rows))
        .filter(row -> row.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no row '" + name + "'"));
  }

  private static List<BenchmarkCase> all() {
    List<BenchmarkCase> rows = new ArrayList<>(writes());
    rows.addAll(latencies());
    rows.addAll(plainForms());
    rows.addAll(connections());
    rows.addAll(postingForms());
    rows.addAll(inMemory());
    rows.addAll(costs());
    rows.addAll(allocation());
    return List.copyOf(rows);
  }

  private static List<BenchmarkCase> writes() {
    return List.of(
        largeWrites("udp-write-1m")
            .beside("raw datagrams of that MTU, GSO and GRO", rawGigabytes(false)),
        largeWrites("udp-write-1m-checked")
            .beside("the same raw datagrams, a copy and a CRC at each end", rawGigabytes(true)),
        BenchmarkCase.of(
                "udp-write-8b",
                "RC WRITE 8 B, UDP loopback, 1 QP",
                MILLIONS_PER_SECOND,
                Threshold.atLeast(1.5),
                millions(BenchmarkNetwork.UDP_BACKGROUND, 1))
            .beside("raw datagrams of that size, GSO and GRO", rawMillions()),
        BenchmarkCase.of(
                "udp-write-8b-64qp",
                "RC WRITE 8 B, UDP loopback, 64 QPs",
                MILLIONS_PER_SECOND,
                Threshold.atLeast(1.5),
                millions(BenchmarkNetwork.UDP_BACKGROUND, 64))
            .beside("raw datagrams of that size, GSO and GRO", rawMillions()),
        overManyQps("udp-write-8b-1024qp", "UDP loopback", BenchmarkNetwork.UDP_BACKGROUND),
        overManyQps("mem-write-8b-1024qp", "in memory", BenchmarkNetwork.MEMORY_BURSTS));
  }

  private static BenchmarkCase largeWrites(String name) {
    return BenchmarkCase.of(
        name,
        "RC WRITE 1 MiB, MTU 4096, UDP loopback",
        GIGABYTES_PER_SECOND,
        Threshold.ratioAtLeast(0.65),
        gigabytes(BenchmarkNetwork.UDP_BACKGROUND, StreamShape.repeated(MIB)));
  }

  /** As many requests outstanding, posted in the same way, over many queue pairs and over one. */
  private static BenchmarkCase overManyQps(String name, String where, BenchmarkNetwork network) {
    StreamShape many = StreamShape.single(SMALL_BYTES, MANY_QPS, MANY_OUTSTANDING);
    StreamShape one = StreamShape.single(SMALL_BYTES, 1, MANY_OUTSTANDING);
    return BenchmarkCase.of(
            name,
            "RC WRITE 8 B posted one by one, " + where + ", 1,024 QPs, 2,048 outstanding",
            MILLIONS_PER_SECOND,
            Threshold.ratioAtLeast(0.5),
            millions(settings -> WriteStream.open(network, many)))
        .beside("the same over 1 QP", millions(settings -> WriteStream.openSecond(network, one)));
  }

  private static List<BenchmarkCase> latencies() {
    return List.of(
        spinning("udp-send-64b-spin", 1.5, oneWaySpinningAlone(), "the caller drives"),
        spinning(
            "udp-send-64b-spin-background",
            2,
            oneWay(BenchmarkNetwork.UDP_BACKGROUND, WaitMode.SPINNING),
            "in the background"),
        blocking("udp-send-64b-block", BenchmarkNetwork.UDP_CALLER, "the caller drives"),
        blocking(
            "udp-send-64b-block-background", BenchmarkNetwork.UDP_BACKGROUND, "in the background"),
        BenchmarkCase.of(
                "udp-write-beside-reads",
                "RC WRITE 64 B until completed, UDP loopback, its target answers READs of 16 MiB",
                MICROSECONDS,
                Threshold.ratioAtMost(10),
                writeBeside(true))
            .beside("the same without READs", writeBeside(false)));
  }

  private static BenchmarkCase spinning(String name, double limit, LoadFactory probe, String mode) {
    String title = "RC SEND 64 B one way, UDP loopback, spinning, " + mode;
    return BenchmarkCase.of(name, title, MICROSECONDS, Threshold.ratioAtMost(limit), probe)
        .beside("datagram of a JDK socket, spinning", rawOneWay(false));
  }

  private static BenchmarkCase blocking(String name, BenchmarkNetwork network, String mode) {
    String title = "RC SEND 64 B one way, UDP loopback, blocking on a channel, " + mode;
    return BenchmarkCase.of(
            name,
            title,
            MICROSECONDS,
            Threshold.ratioAtMost(1.3),
            oneWay(network, WaitMode.BLOCKING))
        .beside("datagram of a JDK socket, blocking", rawOneWay(true));
  }

  /** What is there for speed only, beside its plain form. */
  private static List<BenchmarkCase> plainForms() {
    return List.of(
        lease("lease-spin", "spinning", WaitMode.SPINNING),
        lease("lease-block", "blocking on a channel", WaitMode.BLOCKING),
        BenchmarkCase.of(
                "merged-reads",
                "heap given out for a packet: RC WRITE 1 MiB, UDP loopback, what the kernel merged"
                    + " stays in one buffer",
                BYTES,
                Threshold.ratioAtMost(1 / WORTH_IT),
                heap(
                    settings ->
                        WriteStream.open(BenchmarkNetwork.UDP_BACKGROUND, StreamShape.large(MIB))))
            .beside(
                "a buffer for each datagram",
                heap(
                    settings ->
                        WriteStream.openSecond(
                            BenchmarkNetwork.UDP_SLICED_READS, StreamShape.large(MIB)))),
        BenchmarkCase.of(
                "recycled-deliveries",
                "heap given out for a packet: RC WRITE 8 B, in memory in bursts, deliveries are"
                    + " used again",
                BYTES,
                Threshold.ratioAtMost(1 / WORTH_IT),
                heap(
                    settings ->
                        WriteStream.open(
                            BenchmarkNetwork.MEMORY_BURSTS, StreamShape.small(SMALL_BYTES, 1))))
            .beside(
                "each is a new object",
                heap(
                    settings ->
                        WriteStream.openSecond(
                            BenchmarkNetwork.MEMORY_NEW_DELIVERIES,
                            StreamShape.small(SMALL_BYTES, 1)))));
  }

  private static LoadFactory heap(Function<BenchmarkSettings, Load> opener) {
    return LoadFactory.ofLoad(opener, Load::allocatedBytesPerPacket);
  }

  private static BenchmarkCase lease(String name, String mode, WaitMode waiting) {
    return BenchmarkCase.of(
            name,
            "RC SEND 64 B one way, UDP loopback, " + mode + ", who waits runs the event loop",
            MICROSECONDS,
            Threshold.ratioAtMost(1 / WORTH_IT),
            sendsForOneTurn(BenchmarkNetwork.UDP_BACKGROUND, waiting))
        .beside(
            "only its own thread runs it",
            sendsForOneTurn(BenchmarkNetwork.UDP_WITHOUT_LEASE, waiting));
  }

  /** What programs in C use beside what Java programs use. */
  private static List<BenchmarkCase> postingForms() {
    String title = "RC WRITE 8 B, in memory, posted and polled one by one, field by field";
    String records = "the same by records";
    return List.of(
        BenchmarkCase.of(
                "posting-heap",
                "heap given out for a message: " + title,
                BYTES,
                Threshold.atMost(1),
                posting(PostingForm.FIELDS, Load::allocatedBytesPerMessage))
            .beside(records, posting(PostingForm.RECORDS, Load::allocatedBytesPerMessage)),
        BenchmarkCase.of(
                "posting-time",
                "time of a message: " + title,
                NANOSECONDS,
                Threshold.ratioAtMost(1),
                posting(PostingForm.FIELDS, BenchmarkCases::nanosPerMessage))
            .beside(records, posting(PostingForm.RECORDS, BenchmarkCases::nanosPerMessage)));
  }

  private static LoadFactory posting(PostingForm form, LoadFactory.LoadMetric<Load> metric) {
    return LoadFactory.ofLoad(settings -> PostingLoad.open(form), metric);
  }

  private static double nanosPerMessage(Load load, long nanos) {
    return 1e9 / load.messagesPerSecond(nanos);
  }

  private static List<BenchmarkCase> connections() {
    return List.of(
        connecting("mem-connect", "in memory", BenchmarkNetwork.MEMORY),
        connecting("udp-connect", "UDP loopback", BenchmarkNetwork.UDP_BACKGROUND));
  }

  private static BenchmarkCase connecting(String name, String where, BenchmarkNetwork network) {
    return BenchmarkCase.of(
            name,
            "connections made and ended by rdma_cm, " + where,
            THOUSANDS_PER_SECOND,
            Threshold.ratioAtLeast(0.1),
            LoadFactory.ofLoad(
                settings -> ConnectionLoad.open(network),
                (load, nanos) -> load.messagesPerSecond(nanos) / 1e3))
        .beside(
            "TCP connections of the JDK",
            LoadFactory.fromNothing(nanos -> TcpConnections.perSecond(nanos) / 1e3));
  }

  private static List<BenchmarkCase> inMemory() {
    return List.of(
        BenchmarkCase.of(
            "mem-write-8b",
            "RC WRITE 8 B, in memory, packets in bursts",
            MILLIONS_PER_SECOND,
            Threshold.atLeast(5),
            millions(BenchmarkNetwork.MEMORY_BURSTS, 1)),
        BenchmarkCase.of(
            "mem-write-8b-single",
            "RC WRITE 8 B, in memory, packets one by one",
            MILLIONS_PER_SECOND,
            Threshold.atLeast(4),
            millions(BenchmarkNetwork.MEMORY, 1)),
        BenchmarkCase.of(
            "mem-write-8b-background",
            "RC WRITE 8 B, in memory, moved by a thread of the network",
            MILLIONS_PER_SECOND,
            Threshold.atLeast(5),
            millions(BenchmarkNetwork.MEMORY_BACKGROUND, 1)),
        BenchmarkCase.of(
                "mem-write-1m",
                "RC WRITE 1 MiB, in memory, packets in bursts, over 64 MiB",
                GIGABYTES_PER_SECOND,
                Threshold.ratioAtLeast(0.5),
                gigabytes(BenchmarkNetwork.MEMORY_BURSTS, StreamShape.large(MIB)))
            .beside("copies of 1 MiB over 64 MiB", copyGigabytes()),
        BenchmarkCase.of(
            "mem-send-64b",
            "RC SEND 64 B one way, in memory",
            MICROSECONDS,
            Threshold.atMost(0.4),
            oneWay(BenchmarkNetwork.MEMORY, WaitMode.SPINNING)),
        BenchmarkCase.of(
            "virtual-time",
            "simulated packets: RC WRITE 4 KiB and acknowledgements, one core",
            MILLIONS_PER_SECOND,
            Threshold.atLeast(1),
            LoadFactory.ofLoad(
                settings ->
                    WriteStream.open(BenchmarkNetwork.MEMORY, StreamShape.small(MTU_BYTES, 1)),
                (load, nanos) -> load.packetsPerSecond(nanos) / 1e6)));
  }

  private static List<BenchmarkCase> costs() {
    return List.of(
        BenchmarkCase.of(
                "idle-qp-heap",
                "heap of an idle RC QP, 100,000 of them connected, -Xmx1g",
                BYTES,
                Threshold.atMost(2048),
                settings -> nanos -> IdleQpLoad.heapBytesPerQueuePair(settings.crowd()))
            .withJvm("-Xmx1g"),
        BenchmarkCase.of(
                "idle-qp-cost",
                "RC WRITE 8 B in memory beside 100,000 idle QPs, each, -Xmx1g",
                NANOSECONDS,
                Threshold.ratioAtMost(1.15),
                nanosBeside(settings -> IdleQpLoad.idle(settings.crowd())))
            .beside("the same beside none", nanosBeside(settings -> IdleQpLoad.idle(0)))
            .withJvm("-Xmx1g"),
        BenchmarkCase.of(
                "timers",
                "RC WRITE 8 B in memory beside 100,000 armed timers, each",
                NANOSECONDS,
                Threshold.ratioAtMost(1.15),
                nanosBeside(settings -> IdleQpLoad.waiting(settings.crowd())))
            .beside("the same beside one", nanosBeside(settings -> IdleQpLoad.waiting(1))),
        BenchmarkCase.of(
            "start",
            "from the start of a JVM to a completion between two devices in memory",
            SECONDS,
            Threshold.atMost(0.5),
            LoadFactory.fromNothing(nanos -> StartTime.seconds())));
  }

  private static List<BenchmarkCase> allocation() {
    List<BenchmarkCase> rows = new ArrayList<>();
    for (BenchmarkNetwork network :
        List.of(BenchmarkNetwork.MEMORY_BURSTS, BenchmarkNetwork.UDP_BACKGROUND)) {
      boolean isUdp = network == BenchmarkNetwork.UDP_BACKGROUND;
      String place = isUdp ? "UDP loopback" : "in memory";
      String prefix = isUdp ? "allocation-udp" : "allocation-mem";
      rows.add(
          allocation(
              prefix + "-write",
              "heap given out for a packet: RC WRITE 1 MiB, " + place,
              heap(settings -> WriteStream.open(network, StreamShape.large(MIB)))));
      rows.add(
          allocation(
              prefix + "-send",
              "heap given out for a packet: RC SEND 64 B, " + place,
              heap(settings -> SendPingPong.open(network, PING_BYTES, WaitMode.SPINNING))));
    }
    return rows;
  }

  private static BenchmarkCase allocation(String name, String title, LoadFactory probe) {
    return BenchmarkCase.of(name, title, BYTES, Threshold.atMost(100), probe);
  }

  private static LoadFactory gigabytes(BenchmarkNetwork network, StreamShape shape) {
    return LoadFactory.ofLoad(
        settings -> WriteStream.open(network, shape),
        (load, nanos) -> load.messagesPerSecond(nanos) * shape.messageBytes() / 1e9);
  }

  private static LoadFactory millions(BenchmarkNetwork network, int queuePairs) {
    return millions(
        settings -> WriteStream.open(network, StreamShape.small(SMALL_BYTES, queuePairs)));
  }

  private static LoadFactory millions(Function<BenchmarkSettings, Load> opener) {
    return LoadFactory.ofLoad(opener, (load, nanos) -> load.messagesPerSecond(nanos) / 1e6);
  }

  private static LoadFactory oneWay(BenchmarkNetwork network, WaitMode waiting) {
    return LoadFactory.ofLoad(
        settings -> SendPingPong.open(network, PING_BYTES, waiting), SendPingPong::oneWayMicros);
  }

  private static LoadFactory writeBeside(boolean hasReads) {
    return LoadFactory.ofLoad(
        settings -> WriteBesideReads.open(hasReads), WriteBesideReads::writeMicros);
  }

  /** A player that spins would take a processor from what stands beside it, so it has to end. */
  private static LoadFactory oneWaySpinningAlone() {
    return sendsForOneTurn(BenchmarkNetwork.UDP_CALLER_BUSY, WaitMode.SPINNING);
  }

  private static LoadFactory sendsForOneTurn(BenchmarkNetwork network, WaitMode waiting) {
    return LoadFactory.fromNothing(
        nanos -> {
          try (SendPingPong rally = SendPingPong.open(network, PING_BYTES, waiting)) {
            return rally.oneWayMicros(nanos);
          }
        });
  }

  private static LoadFactory nanosBeside(Function<BenchmarkSettings, Load> opener) {
    return LoadFactory.ofLoad(opener, BenchmarkCases::nanosPerMessage);
  }

  private static LoadFactory rawGigabytes(boolean isChecked) {
    int datagramBytes = MTU_BYTES + HEADER_BYTES;
    return LoadFactory.fromNothing(
        nanos ->
            DatagramFlood.datagramsPerSecond(datagramBytes, isChecked, nanos) * MTU_BYTES / 1e9);
  }

  private static LoadFactory rawMillions() {
    return LoadFactory.fromNothing(
        nanos -> DatagramFlood.datagramsPerSecond(SMALL_DATAGRAM_BYTES, false, nanos) / 1e6);
  }

  private static LoadFactory rawOneWay(boolean isBlocking) {
    return LoadFactory.fromNothing(
        nanos -> SocketPingPong.oneWayMicros(PING_DATAGRAM_BYTES, isBlocking, nanos));
  }

  private static LoadFactory copyGigabytes() {
    return settings -> {
      MemoryCopy copy = new MemoryCopy(MIB, SPAN_BYTES);
      return nanos -> copy.bytesPerSecond(nanos) / 1e9;
    };
  }
}
