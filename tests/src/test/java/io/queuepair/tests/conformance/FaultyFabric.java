// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import io.queuepair.emulator.fabric.DatagramBurst;
import io.queuepair.emulator.fabric.ForwardingFabric;
import io.queuepair.emulator.fabric.ForwardingLink;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;

/** A network in virtual time, wire exact, on which the test decides the fate of each datagram. */
public final class FaultyFabric extends ForwardingFabric {
  private static final int PSN_AT = 8;
  private static final int PSN_MASK = 0xff_ffff;

  /** Fate of a datagram. */
  public enum DatagramFate {
    PASS,
    DROP,
    TWICE
  }

  /** A datagram on its way: the last byte of its sender's address, and two fields of its BTH. */
  public record FabricDatagram(int sender, int opcode, int psn) {}

  private final List<FabricDatagram> seen = new ArrayList<>();
  private final Function<FabricDatagram, DatagramFate> fates;
  private final long batchNanos;
  private final List<Link> links = new ArrayList<>();

  /** Packets that the links still take before they are full. */
  private int room = Integer.MAX_VALUE;

  public FaultyFabric(Function<FabricDatagram, DatagramFate> fates) {
    this(fates, 0);
  }

  /** A network on which everything that arrives within some time is handed over together. */
  public FaultyFabric(Function<FabricDatagram, DatagramFate> fates, long batchNanos) {
    super(LinkForm.WIRE_EXACT.fabric());
    this.fates = fates;
    this.batchNanos = batchNanos;
  }

  /** A network that loses nothing. */
  public static FaultyFabric reliable() {
    return new FaultyFabric(datagram -> DatagramFate.PASS);
  }

  /** Everything that was sent, lost or not. */
  public List<FabricDatagram> seen() {
    return seen;
  }

  /** Makes the links full after some more packets, until {@link #flow}. */
  public void stallAfter(int packets) {
    room = packets;
  }

  /** Empties the links: what waited is delivered. */
  public void flow() {
    room = Integer.MAX_VALUE;
    links.forEach(Link::ringDoorbell);
  }

  @Override
  public Link attach(InetAddress address, Station station) {
    Station receiver = batchNanos == 0 ? station : new DatagramCollector(station);
    Link link = new FaultyLink(super.attach(address, receiver));
    links.add(link);
    return link;
  }

  private static FabricDatagram describe(DatagramBurst burst) {
    byte[] address = burst.source().getAddress();
    ByteBuffer bytes = burst.bytes();
    int opcode = Byte.toUnsignedInt(bytes.get(bytes.position()));
    int psn = bytes.getInt(bytes.position() + PSN_AT) & PSN_MASK;
    return new FabricDatagram(address[address.length - 1], opcode, psn);
  }

  /** A station that gets what arrives in batches. */
  private final class DatagramCollector implements Station {
    private final Station station;
    private final Scheduler.Timer timer;
    private List<Traffic> batch = new ArrayList<>();

    private DatagramCollector(Station station) {
      this.station = station;
      timer = scheduler().timer(this::handOver);
    }

    private void handOver() {
      List<Traffic> arrived = batch;
      batch = new ArrayList<>();
      station.receive(arrived);
    }

    @Override
    public void receive(List<? extends Traffic> traffic) {
      if (batch.isEmpty()) {
        timer.arm(scheduler().nowNanos() + batchNanos);
      }
      batch.addAll(traffic);
    }

    @Override
    public void transmit() {
      station.transmit();
    }
  }

  /** One link with faults on the way out. */
  private final class FaultyLink extends ForwardingLink {
    /** Buffers of datagrams that were lost, to be lent again. */
    private final Deque<ByteBuffer> spare = new ArrayDeque<>();

    private FaultyLink(Link link) {
      super(link);
    }

    @Override
    public void send(Traffic traffic, String note) {
      DatagramBurst burst = (DatagramBurst) traffic;
      FabricDatagram datagram = describe(burst);
      seen.add(datagram);
      switch (fates.apply(datagram)) {
        case PASS -> super.send(burst, note);
        case DROP -> spare.add(burst.bytes());
        case TWICE -> {
          DatagramBurst copy = copy(burst);
          super.send(burst, note);
          super.send(copy, note);
        }
      }
    }

    private DatagramBurst copy(DatagramBurst burst) {
      ByteBuffer bytes = borrow().put(burst.bytes().duplicate()).flip();
      return new DatagramBurst(
          burst.source(), burst.sourcePort(), burst.destination(), bytes, burst.segmentBytes());
    }

    @Override
    public ByteBuffer borrow() {
      ByteBuffer buffer = spare.poll();
      return buffer == null ? super.borrow() : buffer.clear();
    }

    @Override
    public boolean hasRoom() {
      return room > 0 && super.hasRoom();
    }

    @Override
    public boolean isWritable() {
      if (room == 0) {
        return false;
      }
      room--;
      return super.isWritable();
    }
  }
}
