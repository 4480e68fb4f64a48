package io.queuepair.emulator.faults;

import io.queuepair.emulator.fabric.Burst;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A station whose link keeps traffic back: what has become due leaves at the station's next turn,
 * because at other times nothing may be sent.
 */
final class LateTraffic implements Station {
  private final Station station;
  private final Queue<Noted> due = new ConcurrentLinkedQueue<>();

  /** The way out; null while the station is being attached, and after it was detached. */
  private volatile Link link;

  LateTraffic(Station station) {
    this.station = station;
  }

  /**
   * Traffic that nobody else can change.
   *
   * @param note what was done to it, or null
   */
  record Noted(Traffic traffic, String note) {}

  /** The station is attached. */
  void leavesThrough(Link attached) {
    link = attached;
  }

  /** The station is detached: what was kept back is lost. */
  void cut() {
    link = null;
    due.clear();
  }

  /** Sends as soon as the station has its turn. */
  void add(Noted own) {
    Link out = link;
    if (out != null) {
      due.add(own);
      out.ring();
    }
  }

  /** Sends now, which is a turn of the station. */
  void forward(Noted own) {
    Link out = link;
    if (out != null) {
      Traffic traffic = own.traffic() instanceof Burst burst ? lent(out, burst) : own.traffic();
      if (own.note() == null) {
        out.send(traffic);
      } else {
        out.send(traffic, own.note());
      }
    }
  }

  /** Hands the station something that came from elsewhere. */
  void receive(Noted own) {
    Link out = link;
    if (out != null) {
      out.report(own.traffic(), own.note());
      station.receive(List.of(own.traffic()));
    }
  }

  private static Burst lent(Link out, Burst burst) {
    return with(burst, out.borrow().put(burst.bytes().duplicate()).flip());
  }

  /** The same burst with its bytes elsewhere. */
  static Burst with(Burst burst, ByteBuffer bytes) {
    return new Burst(
        burst.source(), burst.sourcePort(), burst.destination(), bytes, burst.segmentBytes());
  }

  @Override
  public void receive(List<? extends Traffic> traffic) {
    station.receive(traffic);
  }

  @Override
  public void transmit() {
    for (Noted next = due.poll(); next != null; next = due.poll()) {
      forward(next);
    }
    station.transmit();
  }

  @Override
  public OptionalInt requesterOf(InetAddress responder, int destQpn) {
    return station.requesterOf(responder, destQpn);
  }
}
