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
  /** Most packets in the queue, as a limit on memory. */
  static final int LIMIT = 65_536;

  private final InetAddress address;
  private final Station station;
  private final Fabric fabric;

  /** Ordered by due time, then by arrival; guarded by itself. */
  private final Queue<DelayedTraffic> delayed = new PriorityQueue<>();

  private long added;

  /** Link of the station; null after the station was detached. */
  private volatile @Nullable Link link;

  DelayQueue(InetAddress address, Station station, Link link, Fabric fabric) {
    this.address = address;
    this.station = station;
    this.link = link;
    this.fabric = fabric;
  }

  /**
   * Traffic that no other code can change, with a note.
   *
   * @param note what was done to it, or null
   */
  record AnnotatedTraffic(Traffic traffic, @Nullable String note) {}

  private record DelayedTraffic(AnnotatedTraffic annotated, long dueNanos, long sequence)
      implements Comparable<DelayedTraffic> {
    @Override
    public int compareTo(DelayedTraffic other) {
      long later = dueNanos - other.dueNanos;
      return Long.signum(later == 0 ? sequence - other.sequence : later);
    }
  }

  /** Drops the delayed traffic, as the station is detached. */
  void disconnect() {
    link = null;
    synchronized (delayed) {
      delayed.clear();
    }
  }

  /**
   * Queues traffic, to be sent in the first turn of the station once it is due, after what the
   * station itself sends in that turn.
   *
   * @return false if the queue is full
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
   * Sends the traffic that is due. To be called at the end of a turn of the station, under the
   * station's lock: a station with several links has one turn at a time, in which it sends on all
   * of them.
   */
  void sendDue() {
    long nowNanos = fabric.scheduler().nowNanos();
    for (AnnotatedTraffic next = poll(nowNanos); next != null; next = poll(nowNanos)) {
      forward(next);
    }
  }

  /** Removes the next traffic that is due; null if there is none. */
  private @Nullable AnnotatedTraffic poll(long nowNanos) {
    synchronized (delayed) {
      DelayedTraffic first = delayed.peek();
      return first == null || first.dueNanos() - nowNanos > 0 ? null : delayed.remove().annotated();
    }
  }

  /** Sends at once; to be called within a turn of the station. */
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

  void handOver(AnnotatedTraffic annotated) {
    if (link != null) {
      fabric.handOver(address, station, List.of(annotated.traffic()), annotated.note());
    }
  }

  private static DatagramBurst lent(Link outLink, DatagramBurst burst) {
    return with(burst, outLink.borrow().put(burst.bytes().duplicate()).flip());
  }

  /** Copies a burst, with other memory for its bytes. */
  static DatagramBurst with(DatagramBurst burst, ByteBuffer bytes) {
    return new DatagramBurst(
        burst.source(),
        burst.sourcePort(),
        burst.destination(),
        bytes,
        burst.segmentBytes(),
        burst.note());
  }

  /** QPN of the station's queue pair that is connected to one of another device, if known. */
  OptionalInt requesterOf(InetAddress responder, int destQpn) {
    return station.requesterOf(responder, destQpn);
  }
}
