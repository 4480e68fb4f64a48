package io.queuepair.tools.bench;

import static io.queuepair.tools.bench.Unit.BYTES;
import static io.queuepair.tools.bench.Unit.GIGABYTES_PER_SECOND;
import static io.queuepair.tools.bench.Unit.MICROSECONDS;
import static io.queuepair.tools.bench.Unit.MILLIONS_PER_SECOND;
import static io.queuepair.tools.bench.Unit.NANOSECONDS;
import static io.queuepair.tools.bench.Unit.SECONDS;

import io.queuepair.tools.bench.load.Crowd;
import io.queuepair.tools.bench.load.Load;
import io.queuepair.tools.bench.load.Network;
import io.queuepair.tools.bench.load.SendRally;
import io.queuepair.tools.bench.load.SendRally.Waiting;
import io.queuepair.tools.bench.load.WriteStream;
import io.queuepair.tools.bench.load.WriteStream.Shape;
import io.queuepair.tools.bench.raw.DatagramFlood;
import io.queuepair.tools.bench.raw.MemoryCopy;
import io.queuepair.tools.bench.raw.SocketPingPong;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** The table of what there is to measure, and what each row is to reach. */
final class Rows {
  private static final int MIB = 1 << 20;
  private static final int SPAN_BYTES = 64 * MIB;
  private static final int MTU_BYTES = 4096;

  /** BTH, mostly without RETH, and ICRC. */
  private static final int HEADER_BYTES = 16;

  /** BTH, RETH, eight bytes and ICRC. */
  private static final int SMALL_DATAGRAM_BYTES = 40;

  private static final int SMALL_BYTES = 8;
  private static final int PING_BYTES = 64;

  /** BTH, 64 bytes and ICRC. */
  private static final int PING_DATAGRAM_BYTES = PING_BYTES + HEADER_BYTES;

  /** In the order in which they are measured; no two have the same name. */
  static final List<Row> ALL = all();

  private Rows() {}

  /** The row of a name, of the table or a sweep. */
  static Row named(String name) {
    return Stream.concat(ALL.stream(), Arrays.stream(Sweep.values()).flatMap(Sweep::rows))
        .filter(row -> row.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no row '" + name + "'"));
  }

  private static List<Row> all() {
    List<Row> rows = new ArrayList<>(overUdp());
    rows.addAll(latencies());
    rows.addAll(inMemory());
    rows.addAll(costs());
    rows.addAll(allocation());
    return List.copyOf(rows);
  }

  private static List<Row> overUdp() {
    return List.of(
        Row.of(
                "udp-write-1m",
                "RC WRITE 1 MiB, MTU 4096, UDP loopback",
                GIGABYTES_PER_SECOND,
                Goal.ratioAtLeast(0.7),
                gigabytes(Network.UDP_BACKGROUND, Shape.repeated(MIB)))
            .beside("raw datagrams of that MTU, GSO and GRO", rawGigabytes()),
        Row.of(
                "udp-write-8b",
                "RC WRITE 8 B, UDP loopback, 1 QP",
                MILLIONS_PER_SECOND,
                Goal.atLeast(1.5),
                millions(Network.UDP_BACKGROUND, 1))
            .beside("raw datagrams of that size, GSO and GRO", rawMillions()),
        Row.of(
                "udp-write-8b-64qp",
                "RC WRITE 8 B, UDP loopback, 64 QPs",
                MILLIONS_PER_SECOND,
                Goal.atLeast(1.5),
                millions(Network.UDP_BACKGROUND, 64))
            .beside("raw datagrams of that size, GSO and GRO", rawMillions()));
  }

  private static List<Row> latencies() {
    return List.of(
        spinning("udp-send-64b-spin", oneWaySpinningAlone(), "the caller drives"),
        spinning(
            "udp-send-64b-spin-background",
            oneWay(Network.UDP_BACKGROUND, Waiting.SPINNING),
            "in the background"),
        blocking("udp-send-64b-block", Network.UDP_CALLER, "the caller drives"),
        blocking("udp-send-64b-block-background", Network.UDP_BACKGROUND, "in the background"));
  }

  private static Row spinning(String name, Probe probe, String mode) {
    String title = "RC SEND 64 B one way, UDP loopback, spinning, " + mode;
    return Row.of(name, title, MICROSECONDS, Goal.ratioAtMost(1.5), probe)
        .beside("datagram of a JDK socket, spinning", rawOneWay(false));
  }

  private static Row blocking(String name, Network network, String mode) {
    String title = "RC SEND 64 B one way, UDP loopback, blocking on a channel, " + mode;
    return Row.of(
            name, title, MICROSECONDS, Goal.ratioAtMost(1.3), oneWay(network, Waiting.BLOCKING))
        .beside("datagram of a JDK socket, blocking", rawOneWay(true));
  }

  private static List<Row> inMemory() {
    return List.of(
        Row.of(
            "mem-write-8b",
            "RC WRITE 8 B, in memory, packets in bursts",
            MILLIONS_PER_SECOND,
            Goal.atLeast(5),
            millions(Network.MEMORY_BURSTS, 1)),
        Row.of(
            "mem-write-8b-single",
            "RC WRITE 8 B, in memory, packets one by one",
            MILLIONS_PER_SECOND,
            Goal.atLeast(5),
            millions(Network.MEMORY, 1)),
        Row.of(
            "mem-write-8b-background",
            "RC WRITE 8 B, in memory, moved by a thread of the network",
            MILLIONS_PER_SECOND,
            Goal.atLeast(5),
            millions(Network.MEMORY_BACKGROUND, 1)),
        Row.of(
                "mem-write-1m",
                "RC WRITE 1 MiB, in memory, packets in bursts, over 64 MiB",
                GIGABYTES_PER_SECOND,
                Goal.ratioAtLeast(0.5),
                gigabytes(Network.MEMORY_BURSTS, Shape.large(MIB)))
            .beside("copies of 1 MiB over 64 MiB", copyGigabytes()),
        Row.of(
            "mem-send-64b",
            "RC SEND 64 B one way, in memory",
            MICROSECONDS,
            Goal.atMost(0.5),
            oneWay(Network.MEMORY, Waiting.SPINNING)),
        Row.of(
            "virtual-time",
            "simulated packets: RC WRITE 4 KiB and acknowledgements, one core",
            MILLIONS_PER_SECOND,
            Goal.atLeast(1),
            Probe.ofLoad(
                effort -> WriteStream.open(Network.MEMORY, Shape.small(MTU_BYTES, 1)),
                (load, nanos) -> load.packetsPerSecond(nanos) / 1e6)));
  }

  private static List<Row> costs() {
    return List.of(
        Row.of(
                "idle-qp-heap",
                "heap of an idle RC QP, 100,000 of them connected, -Xmx1g",
                BYTES,
                Goal.atMost(2048),
                effort -> nanos -> Crowd.heapBytesPerQueuePair(effort.crowd()))
            .withJvm("-Xmx1g"),
        Row.of(
                "idle-qp-cost",
                "RC WRITE 8 B in memory beside 100,000 idle QPs, each, -Xmx1g",
                NANOSECONDS,
                Goal.ratioAtMost(1.15),
                nanosBeside(effort -> Crowd.idle(effort.crowd())))
            .beside("the same beside none", nanosBeside(effort -> Crowd.idle(0)))
            .withJvm("-Xmx1g"),
        Row.of(
                "timers",
                "RC WRITE 8 B in memory beside 100,000 armed timers, each",
                NANOSECONDS,
                Goal.ratioAtMost(1.15),
                nanosBeside(effort -> Crowd.waiting(effort.crowd())))
            .beside("the same beside one", nanosBeside(effort -> Crowd.waiting(1))),
        Row.of(
            "start",
            "from the start of a JVM to a completion between two devices in memory",
            SECONDS,
            Goal.atMost(0.5),
            Probe.fromNothing(nanos -> StartTime.seconds())));
  }

  private static List<Row> allocation() {
    List<Row> rows = new ArrayList<>();
    for (Network network : List.of(Network.MEMORY_BURSTS, Network.UDP_BACKGROUND)) {
      boolean isUdp = network == Network.UDP_BACKGROUND;
      String place = isUdp ? "UDP loopback" : "in memory";
      String prefix = isUdp ? "allocation-udp" : "allocation-mem";
      rows.add(
          allocation(
              prefix + "-write",
              "heap given out for a packet: RC WRITE 1 MiB, " + place,
              Probe.ofLoad(
                  effort -> WriteStream.open(network, Shape.large(MIB)),
                  Load::allocatedBytesPerPacket)));
      rows.add(
          allocation(
              prefix + "-send",
              "heap given out for a packet: RC SEND 64 B, " + place,
              Probe.ofLoad(
                  effort -> SendRally.open(network, PING_BYTES, Waiting.SPINNING),
                  Load::allocatedBytesPerPacket)));
    }
    return rows;
  }

  private static Row allocation(String name, String title, Probe probe) {
    return Row.of(name, title, BYTES, Goal.atMost(100), probe);
  }

  private static Probe gigabytes(Network network, Shape shape) {
    return Probe.ofLoad(
        effort -> WriteStream.open(network, shape),
        (load, nanos) -> load.messagesPerSecond(nanos) * shape.messageBytes() / 1e9);
  }

  private static Probe millions(Network network, int queuePairs) {
    return Probe.ofLoad(
        effort -> WriteStream.open(network, Shape.small(SMALL_BYTES, queuePairs)),
        (load, nanos) -> load.messagesPerSecond(nanos) / 1e6);
  }

  private static Probe oneWay(Network network, Waiting waiting) {
    return Probe.ofLoad(
        effort -> SendRally.open(network, PING_BYTES, waiting), SendRally::oneWayMicros);
  }

  /** A player that spins would take a processor from what stands beside it, so it has to end. */
  private static Probe oneWaySpinningAlone() {
    return Probe.fromNothing(
        nanos -> {
          try (SendRally rally =
              SendRally.open(Network.UDP_CALLER_BUSY, PING_BYTES, Waiting.SPINNING)) {
            return rally.oneWayMicros(nanos);
          }
        });
  }

  private static Probe nanosBeside(Function<Effort, Load> opener) {
    return Probe.ofLoad(opener, (load, nanos) -> 1e9 / load.messagesPerSecond(nanos));
  }

  private static Probe rawGigabytes() {
    return Probe.fromNothing(
        nanos ->
            DatagramFlood.datagramsPerSecond(MTU_BYTES + HEADER_BYTES, nanos) * MTU_BYTES / 1e9);
  }

  private static Probe rawMillions() {
    return Probe.fromNothing(
        nanos -> DatagramFlood.datagramsPerSecond(SMALL_DATAGRAM_BYTES, nanos) / 1e6);
  }

  private static Probe rawOneWay(boolean isBlocking) {
    return Probe.fromNothing(
        nanos -> SocketPingPong.oneWayMicros(PING_DATAGRAM_BYTES, isBlocking, nanos));
  }

  private static Probe copyGigabytes() {
    return effort -> {
      MemoryCopy copy = new MemoryCopy(MIB, SPAN_BYTES);
      return nanos -> copy.bytesPerSecond(nanos) / 1e9;
    };
  }
}
