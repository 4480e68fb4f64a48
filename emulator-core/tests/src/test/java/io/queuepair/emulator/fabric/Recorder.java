package io.queuepair.emulator.fabric;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** A station that sends what it is told to and remembers what it received. */
final class Recorder implements Station {
  private final List<Traffic> received = new ArrayList<>();
  private final ArrayDeque<Traffic> outbox = new ArrayDeque<>();
  private final Link link;
  private int calls;
  private int turns;

  private Recorder(Fabric fabric, InetAddress address) {
    link = fabric.attach(address, this);
  }

  static Recorder at(Fabric fabric, InetAddress address) {
    return new Recorder(fabric, address);
  }

  Link link() {
    return link;
  }

  /** Sends now what the link has room for, and the rest when there is room. */
  void send(Traffic... traffic) {
    outbox.addAll(List.of(traffic));
    link.ring();
  }

  List<Traffic> received() {
    return received;
  }

  /** The packets of all deliveries, in order. */
  List<Object> packets() {
    return received.stream().map(traffic -> ((Delivery) traffic).packet()).toList();
  }

  int receiveCalls() {
    return calls;
  }

  int turns() {
    return turns;
  }

  int waiting() {
    return outbox.size();
  }

  @Override
  public void receive(List<? extends Traffic> traffic) {
    calls++;
    traffic.forEach(one -> received.add(own(one)));
  }

  @Override
  public void transmit() {
    turns++;
    while (!outbox.isEmpty() && link.isWritable()) {
      link.send(outbox.remove());
    }
    link.endTurn();
  }

  /** Bytes are only lent. */
  private static Traffic own(Traffic traffic) {
    if (!(traffic instanceof Burst burst)) {
      return traffic;
    }
    ByteBuffer copy = ByteBuffer.allocate(burst.bytes().remaining());
    copy.put(burst.bytes().duplicate()).flip();
    return new Burst(
        burst.source(), burst.sourcePort(), burst.destination(), copy, burst.segmentBytes());
  }
}
