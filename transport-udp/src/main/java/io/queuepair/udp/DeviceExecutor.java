// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs device code on the event loop, one turn after the other. Writes are flushed at the end of a
 * turn, or earlier if they are many, to save system calls. Devices that found no room, or have more
 * to send than a turn allows, get another turn. Between two turns of a device the loop handles
 * sockets and timers.
 */
final class DeviceExecutor {
  /** Bursts after which a turn ends; each may hold several datagrams. */
  static final int BURSTS = 16;

  /** Bytes after which a turn ends, too: four full bursts reach it. */
  static final int BYTES = 192 << 10;

  /** Datagrams after which a turn ends, too, however small they are. */
  static final int DATAGRAMS = 256;

  /** Unflushed datagrams after which a turn flushes before its end: a full burst of small ones. */
  static final int FLUSHED_DATAGRAMS = 64;

  /**
   * Time after which a turn ends with the next flush. Small datagrams take the kernel longer than
   * their bytes suggest, and arrivals wait meanwhile.
   */
  static final long TURN_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private static final Logger LOG = LoggerFactory.getLogger(DeviceExecutor.class);

  private final ProgressLoop loop;
  private final LongSupplier nanoTime;
  private final List<UdpLink> links = new ArrayList<>();
  private final List<UdpLink> blocked = new ArrayList<>();
  private int depth;
  private boolean isTransmitting;

  /** Bursts written in the present turn; bytes and datagrams below likewise. */
  private int bursts;

  private int bytes;
  private int datagrams;
  private int unflushedDatagrams;
  private long startNanos;
  private boolean isLate;

  DeviceExecutor(ProgressLoop loop) {
    this(loop, System::nanoTime);
  }

  /**
   * Creates an executor with another clock, for tests.
   *
   * @param nanoTime a clock for {@link #TURN_NANOS}
   */
  DeviceExecutor(ProgressLoop loop, LongSupplier nanoTime) {
    this.loop = loop;
    this.nanoTime = nanoTime;
  }

  EventLoop loop() {
    return loop.events();
  }

  /** Whether a device may transmit within the present call, rather than in a later turn. */
  boolean canTransmitNow() {
    return loop().inEventLoop() && !isTransmitting;
  }

  /** Runs a device's turn to send, on the loop; a doorbell meanwhile gets a later turn. */
  void transmit(Runnable transmission) {
    isTransmitting = true;
    bursts = 0;
    bytes = 0;
    datagrams = 0;
    startNanos = nanoTime.getAsLong();
    isLate = false;
    try {
      run(transmission);
    } finally {
      isTransmitting = false;
      resume(); // If nothing was left to flush, no completion calls this.
    }
  }

  /** Whether the present turn has reached one of its limits. */
  boolean isUsedUp() {
    return isTransmitting
        && (isLate || bursts >= BURSTS || bytes >= BYTES || datagrams >= DATAGRAMS);
  }

  /** Runs device code; the outermost call flushes at its end. */
  void run(Runnable step) {
    depth++;
    try {
      step.run();
    } catch (RuntimeException | AssertionError e) {
      // A bug in one device must not stop the others, which share the loop and their sockets.
      LOG.error("A device failed; the UDP network continues", e);
    } finally {
      depth--;
      if (depth == 0) {
        flush();
      }
    }
  }

  /** Runs a task on the loop soon; drops it if the loop has ended. */
  void executeLater(Runnable task) {
    give(loop.events(), task);
  }

  /** Runs a transmission, on the posting thread if the loop is free. */
  void execute(Runnable task) {
    give(loop::execute, task);
  }

  private static void give(Executor taker, Runnable task) {
    try {
      taker.execute(task);
    } catch (RejectedExecutionException e) {
      LOG.debug("The UDP network is closed; a late task is dropped");
    }
  }

  void wrote(UdpLink link, BurstBuffer burst) {
    bursts++;
    bytes += burst.lengthBytes();
    datagrams += burst.segments();
    unflushedDatagrams += burst.segments();
    if (!links.contains(link)) {
      links.add(link);
    }
    if (isTransmitting && unflushedDatagrams >= FLUSHED_DATAGRAMS) {
      // Not other links: an error would lower the limit of one whose burst is being filled.
      link.flush();
      unflushedDatagrams = 0;
      isLate = nanoTime.getAsLong() - startNanos >= TURN_NANOS;
    }
  }

  void blocked(UdpLink link) {
    if (!blocked.contains(link)) {
      blocked.add(link);
    }
  }

  /** Gives devices that were held back another turn, if their sockets have room. */
  void resume() {
    for (int i = blocked.size() - 1; i >= 0; i--) {
      UdpLink link = blocked.get(i);
      if (link.socketHasRoom()) {
        blocked.remove(i);
        link.ringLater();
      }
    }
  }

  void forget(UdpLink link) {
    blocked.remove(link);
  }

  private void flush() {
    for (int i = 0; i < links.size(); i++) {
      links.get(i).flush();
    }
    links.clear();
    unflushedDatagrams = 0;
  }
}
