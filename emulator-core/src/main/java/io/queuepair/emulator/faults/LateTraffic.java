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
 * What a link keeps back of a station's traffic: what has become due leaves when a turn of the
 * station ends, because at other times nothing may be sent. Thread-safe, but for what sends.
 */
final class LateTraffic {
  /** Packets that are kept back at most, so that memory has a limit. */
  static final int LIMIT = 65_536;

  private final Station station;
  private final Scheduler scheduler;

  /** By the time they are due, then in the order they came; guarded by itself. */
  private final Queue<Kept> kept = new PriorityQueue<>();

  private long added;

  /** The way out; null after the station was detached. */
  private volatile Link link;

  LateTraffic(Station station, Link link, Scheduler scheduler) {
    this.station = station;
    this.link = link;
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

  /** The station is detached: what was kept back is lost. */
  void cut() {
    link = null;
    synchronized (kept) {
      kept.clear();
    }
  }

  /**
   * Sends in a turn of the station when the time has come, after anything the station sends then.
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

  /**
   * Sends what is due. The caller ends a turn of the station, and holds the lock of that: a station
   * with several links has one turn at a time, in which it sends on all of them.
   */
  void sendDue() {
    long nowNanos = scheduler.nowNanos();
    for (Noted next = poll(nowNanos); next != null; next = poll(nowNanos)) {
      forward(next);
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
      out.handOver(station, List.of(own.traffic()), own.note());
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

  /** Which queue pair of the station is connected to one of another device, if it tells. */
  OptionalInt requesterOf(InetAddress responder, int destQpn) {
    return station.requesterOf(responder, destQpn);
  }
}
