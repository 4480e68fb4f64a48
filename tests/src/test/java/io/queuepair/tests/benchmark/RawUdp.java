package io.queuepair.tests.benchmark;

import io.queuepair.emulator.fabric.Burst;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import io.queuepair.udp.UdpFabric;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** The ceiling of UDP: bursts of datagrams from one socket to another, with nothing in them. */
final class RawUdp {
  private final int datagramBytes;
  private final AtomicLong receivedDatagrams = new AtomicLong();
  private volatile boolean isOver;
  private Link out;

  private RawUdp(int datagramBytes) {
    this.datagramBytes = datagramBytes;
  }

  /** Datagrams that arrive in a second. */
  static double datagramsPerSecond(int datagramBytes, long nanos) throws UnknownHostException {
    return new RawUdp(datagramBytes).measure(nanos);
  }

  private double measure(long nanos) throws UnknownHostException {
    InetAddress from = InetAddress.getByName("127.0.0.91");
    InetAddress to = InetAddress.getByName("127.0.0.92");
    try (UdpFabric sending = UdpFabric.open();
        UdpFabric receiving = UdpFabric.open()) {
      receiving.attach(to, new Counter());
      out = sending.attach(from, new Flood(from, to));
      out.ring();
      spin(nanos / 4); // Warm-up.
      long before = receivedDatagrams.get();
      long start = System.nanoTime();
      spin(nanos);
      long datagrams = receivedDatagrams.get() - before;
      double seconds = (System.nanoTime() - start) / 1e9;
      isOver = true;
      return datagrams / seconds;
    }
  }

  private static void spin(long nanos) {
    long end = System.nanoTime() + nanos;
    while (System.nanoTime() - end < 0) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }

  /** Sends until the link takes no more, then again when it does. */
  private final class Flood implements Station {
    private final InetAddress from;
    private final InetAddress to;

    Flood(InetAddress from, InetAddress to) {
      this.from = from;
      this.to = to;
    }

    @Override
    public void receive(List<? extends Traffic> traffic) {}

    @Override
    public void transmit() {
      int segments = Math.min(out.maxSegments(), Link.BURST_BYTES / datagramBytes);
      while (!isOver && out.isWritable()) {
        ByteBuffer bytes = out.borrow();
        bytes.limit(segments * datagramBytes);
        out.send(new Burst(from, out.sourcePort(), to, bytes, datagramBytes));
      }
    }
  }

  private final class Counter implements Station {
    @Override
    public void receive(List<? extends Traffic> traffic) {
      long datagrams = 0;
      for (int i = 0; i < traffic.size(); i++) {
        Burst burst = (Burst) traffic.get(i);
        datagrams += (burst.bytes().remaining() + datagramBytes - 1) / datagramBytes;
      }
      receivedDatagrams.lazySet(receivedDatagrams.get() + datagrams);
    }

    @Override
    public void transmit() {}
  }
}
