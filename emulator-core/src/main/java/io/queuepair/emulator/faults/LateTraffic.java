package io.queuepair.emulator.faults;

import io.queuepair.emulator.fabric.Burst;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.Queue;

/**
 * A station whose link keeps traffic back: what has become due leaves at the station's next turn,
 * because at other times nothing may be sent.
 */
final class LateTraffic implements Station {
  /** Packets that are kept back at most, so that memory has a limit. */
  static final int LIMIT = 65_536;

  private final Station station;
  private final Scheduler scheduler;

  /** By the time they are due, then in the order they came; guarded by itself. */
  private final Queue<Kept> kept = new PriorityQueue<>();

  private long added;

  /** The way out; null while the station is being attached, and after it was detached. */
  private volatile Link link;

  LateTraffic(Station station, Scheduler scheduler) {
    this.station = station;
    this.scheduler = scheduler;
  }

  /**
   * Traffic that nobody else can change.
   *
   * @param note what was done to it, or null
   */
  record Noted(Traffic traffic, String note) {}

  /** What is kept back. */
  private record Kept(Noted own, long dueNanos, long sequence) implements Comparable<Kept> {
    @Override
    public int compareTo(Kept other) {
      long later = dueNanos - other.dueNanos;
      return Long.signum(later == 0 ? sequence - other.sequence : later);
    }
  }

  /** The station is attached. */
  void leavesThrough(Link attached) {
    link = attached;
  }

  /** The station is detached: what was kept back is lost. */
  void cut() {
    link = null;
    synchronized (kept) {
      kept.clear();
    }
  }

  /**
   * Sends in a turn of the station when the time has come, before anything the station sends then.
   *
   * @return false if too much is kept back already
   */
  boolean add(Noted own, long dueNanos) {
    synchronized (kept) {
      if (kept.size() >= LIMIT) {
        return false;
      }
      kept.add(new Kept(own, dueNanos, added));
      added++;
    }
    scheduler.timer(this::ring).arm(dueNanos);
    return true;
  }

  private void ring() {
    Link out = link;
    if (out != null) {
      out.ring();
    }
  }

  /** The next that is due; null if there is none. */
  private Noted poll(long nowNanos) {
    synchronized (kept) {
      Kept first = kept.peek();
      return first == null || first.dueNanos() - nowNanos > 0 ? null : kept.remove().own();
    }
  }

  /** Sends now, which is a turn of the station. */
  void forward(Noted own) {
    Link out = link;
    if (out != null) {
      Traffic traffic = own.traffic() instanceof Burst burst ? lent(out, burst) : own.traffic();
      send(out, traffic, own.note());
    }
  }

  /** Sends, with what there is to say, or null. */
  static void send(Link out, Traffic traffic, String note) {
    if (note == null) {
      out.send(traffic);
    } else {
      out.send(traffic, note);
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
        burst.source(),
        burst.sourcePort(),
        burst.destination(),
        bytes,
        burst.segmentBytes(),
        burst.note());
  }

  @Override
  public void receive(List<? extends Traffic> traffic) {
    station.receive(traffic);
  }

  /** {@inheritDoc} What was kept back leaves outside of the station's own lock: hence this one. */
  @Override
  public synchronized void transmit() {
    long nowNanos = scheduler.nowNanos();
    for (Noted next = poll(nowNanos); next != null; next = poll(nowNanos)) {
      forward(next);
    }
    station.transmit();
  }

  @Override
  public OptionalInt requesterOf(InetAddress responder, int destQpn) {
    return station.requesterOf(responder, destQpn);
  }
}
