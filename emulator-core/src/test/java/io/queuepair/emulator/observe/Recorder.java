// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import io.queuepair.emulator.fabric.DatagramBurst;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.PacketEnvelope;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** A station that sends on request and remembers what it received. */
public final class Recorder implements Station {
  private final List<Traffic> received = new ArrayList<>();
  private final ArrayDeque<Traffic> outbox = new ArrayDeque<>();
  private final Link link;
  private int calls;
  private int turns;

  private Recorder(Fabric fabric, InetAddress address) {
    link = fabric.attach(address, this);
  }

  public static Recorder at(Fabric fabric, InetAddress address) {
    return new Recorder(fabric, address);
  }

  public Link link() {
    return link;
  }

  /** Sends now what the link has room for, and the rest when there is room. */
  public void send(Traffic... traffic) {
    outbox.addAll(List.of(traffic));
    link.ringDoorbell();
  }

  public List<Traffic> received() {
    return received;
  }

  /** PSNs of the packets that arrived, in order. */
  public List<Integer> psns() {
    return received.stream().map(traffic -> ((PacketEnvelope) traffic).packet().psn()).toList();
  }

  public int receiveCalls() {
    return calls;
  }

  public int turns() {
    return turns;
  }

  public int waiting() {
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
      link.send(outbox.remove(), null);
    }
    link.endTurn();
  }

  /** Bytes are only lent. */
  private static Traffic own(Traffic traffic) {
    if (!(traffic instanceof DatagramBurst burst)) {
      return traffic;
    }
    ByteBuffer copy = ByteBuffer.allocate(burst.bytes().remaining());
    copy.put(burst.bytes().duplicate()).flip();
    return new DatagramBurst(
        burst.source(), burst.sourcePort(), burst.destination(), copy, burst.segmentBytes());
  }
}
