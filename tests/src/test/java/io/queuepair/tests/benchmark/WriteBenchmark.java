package io.queuepair.tests.benchmark;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.udp.UdpFabric;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * RC WRITE: bandwidth with messages of 1 MiB and rate with messages of 8 bytes, over UDP and in
 * memory, each beside its raw ceiling measured in the same run; medians of several rounds.
 *
 * <p>Arguments: seconds for each measurement (default 2), rounds (default 3).
 */
final class WriteBenchmark {
  private static final int LARGE = 1 << 20;
  private static final int SMALL = 8;
  private static final int MTU = 4096;

  /** BTH, mostly without RETH, and ICRC. */
  private static final int HEADER_BYTES = 16;

  /** BTH, RETH, eight bytes and ICRC. */
  private static final int SMALL_DATAGRAM_BYTES = 40;

  private final long nanos;
  private final int rounds;

  private WriteBenchmark(long nanos, int rounds) {
    this.nanos = nanos;
    this.rounds = rounds;
  }

  /** Runs the benchmark. */
  public static void main(String[] args) throws UnknownHostException {
    long seconds = args.length > 0 ? Long.parseLong(args[0]) : 2;
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 3;
    new WriteBenchmark(TimeUnit.SECONDS.toNanos(seconds), rounds).run();
  }

  private interface Measurement {
    double measure() throws UnknownHostException;
  }

  private double median(Measurement measurement) throws UnknownHostException {
    List<Double> values = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      values.add(measurement.measure());
    }
    Collections.sort(values);
    return values.get(rounds / 2);
  }

  private void run() throws UnknownHostException {
    System.out.printf("%-38s %12s %12s %6s%n", "RC WRITE, one QP", "measured", "ceiling", "ratio");
    double udpCeiling = median(() -> rawUdpBytesPerSecond());
    double udp = median(() -> overUdp(LARGE, 8) * LARGE);
    row("UDP 1 MiB, MTU 4096 (GB/s)", udp / 1e9, udpCeiling / 1e9);
    double udpRateCeiling = median(() -> RawUdp.datagramsPerSecond(SMALL_DATAGRAM_BYTES, nanos));
    double udpRate = median(() -> overUdp(SMALL, 256));
    row("UDP 8 B (million/s)", udpRate / 1e6, udpRateCeiling / 1e6);
    double copy = median(this::copyBytesPerSecond);
    double memory = median(() -> inMemory(LARGE, 8) * LARGE);
    row("in memory 1 MiB, MTU 4096 (GB/s)", memory / 1e9, copy / 1e9);
    double memoryRate = median(() -> inMemory(SMALL, 256));
    System.out.printf("%-38s %12.2f%n", "in memory 8 B (million/s)", memoryRate / 1e6);
  }

  private static void row(String name, double measured, double ceiling) {
    System.out.printf("%-38s %12.2f %12.2f %6.2f%n", name, measured, ceiling, measured / ceiling);
  }

  private double rawUdpBytesPerSecond() throws UnknownHostException {
    return RawUdp.datagramsPerSecond(MTU + HEADER_BYTES, nanos) * MTU;
  }

  /** Messages in a second between two networks of the host, each with a thread of its own. */
  private double overUdp(int messageBytes, int batch) {
    Emulator from = Emulator.on(UdpFabric.open());
    Emulator to = Emulator.on(UdpFabric.open());
    try (RcWrite write = new RcWrite(from, to, messageBytes, batch)) {
      return write.messagesPerSecond(nanos);
    }
  }

  private double inMemory(int messageBytes, int batch) {
    Emulator emulator = Emulator.on(InMemoryFabric.realTime());
    try (RcWrite write = new RcWrite(emulator, emulator, messageBytes, batch)) {
      return write.messagesPerSecond(nanos);
    }
  }

  private double copyBytesPerSecond() {
    ByteBuffer from = ByteBuffer.allocateDirect(LARGE);
    ByteBuffer to = ByteBuffer.allocateDirect(LARGE);
    long end = System.nanoTime() + nanos;
    long start = System.nanoTime();
    long bytes = 0;
    while (System.nanoTime() - end < 0) {
      to.put(0, from, 0, LARGE);
      bytes += LARGE;
    }
    return bytes / ((System.nanoTime() - start) / 1e9);
  }
}
