// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import io.queuepair.emulator.fabric.DatagramBurst;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The delayed traffic of a station. It is sent at the end of a turn of the station, as nothing may
 * be sent at other times. Thread-safe, except for sending.
 */
final class DelayQueue {
  /** Packets that are kept back at most, so that memory has a limit. */
  static final int LIMIT = 65_536;

  private final InetAddress address;
  private final Station station;
  private final Fabric fabric;

  /** By the time they are due, then in the order they came; guarded by itself. */
  private final Queue<DelayedTraffic> delayed = new PriorityQueue<>();

  private long added;

  /** The way out; null after the station was detached. */
  private volatile @Nullable Link link;

  /**
   * Without traffic.
   *
   * @param address under which the station is attached
   * @param fabric of the link
   */
  DelayQueue(InetAddress address, Station station, Link link, Fabric fabric) {
    this.address = address;
    this.station = station;
    this.link = link;
    this.fabric = fabric;
  }

  /**
   * Traffic that no other code can change.
   *
   * @param note what was done to it, or null
   */
  record AnnotatedTraffic(Traffic traffic, @Nullable String note) {}

  /** Traffic that is kept back. */
  private record DelayedTraffic(AnnotatedTraffic annotated, long dueNanos, long sequence)
      implements Comparable<DelayedTraffic> {
    @Override
    public int compareTo(DelayedTraffic other) {
      long later = dueNanos - other.dueNanos;
      return Long.signum(later == 0 ? sequence - other.sequence : later);
    }
  }

  /** The station is detached: what was kept back is lost. */
  void disconnect() {
    link = null;
    synchronized (delayed) {
      delayed.clear();
    }
  }

  /**
   * Sends in a turn of the station when the time has come, after anything the station sends then.
   *
   * @return false if too much is kept back already
   */
  boolean add(AnnotatedTraffic annotated, long dueNanos) {
    synchronized (delayed) {
      if (delayed.size() >= LIMIT) {
        return false;
      }
      delayed.add(new DelayedTraffic(annotated, dueNanos, added));
      added++;
    }
    fabric.scheduler().timer(this::ringDoorbell).arm(dueNanos);
    return true;
  }

  private void ringDoorbell() {
    Link outLink = link;
    if (outLink != null) {
      outLink.ringDoorbell();
    }
  }

  /**
   * Sends what is due. The caller ends a turn of the station, and holds the lock of that: a station
   * with several links has one turn at a time, in which it sends on all of them.
   */
  void sendDue() {
    long nowNanos = fabric.scheduler().nowNanos();
    for (AnnotatedTraffic next = poll(nowNanos); next != null; next = poll(nowNanos)) {
      forward(next);
    }
  }

  /** The next that is due; null if there is none. */
  private @Nullable AnnotatedTraffic poll(long nowNanos) {
    synchronized (delayed) {
      DelayedTraffic first = delayed.peek();
      return first == null || first.dueNanos() - nowNanos > 0 ? null : delayed.remove().annotated();
    }
  }

  /** Sends now, which is a turn of the station. */
  void forward(AnnotatedTraffic annotated) {
    Link outLink = link;
    if (outLink != null) {
      Traffic traffic =
          annotated.traffic() instanceof DatagramBurst burst
              ? lent(outLink, burst)
              : annotated.traffic();
      outLink.send(traffic, annotated.note());
    }
  }

  /** Hands the station something that came from elsewhere. */
  void handOver(AnnotatedTraffic annotated) {
    if (link != null) {
      fabric.handOver(address, station, List.of(annotated.traffic()), annotated.note());
    }
  }

  private static DatagramBurst lent(Link outLink, DatagramBurst burst) {
    return with(burst, outLink.borrow().put(burst.bytes().duplicate()).flip());
  }

  /** Copies a burst, with its bytes elsewhere. */
  static DatagramBurst with(DatagramBurst burst, ByteBuffer bytes) {
    return new DatagramBurst(
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
