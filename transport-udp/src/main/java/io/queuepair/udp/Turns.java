package io.queuepair.udp;

import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the code of devices on the event loop, one turn after the other. What devices write during a
 * turn is flushed once, at its end, so that one system call takes as much as possible. Devices that
 * found no room, or have more to send than a turn takes, get another turn. Between two turns of a
 * device the loop looks at the sockets and the timers.
 */
final class Turns {
  /** Bursts of a turn, each of which may hold several datagrams. */
  static final int BURSTS = 16;

  /** Bytes after which a turn ends, too: four bursts, if they are full. */
  private static final int BYTES = 192 << 10;

  private static final Logger LOG = LoggerFactory.getLogger(Turns.class);

  private final Loop loop;
  private final List<UdpLink> written = new ArrayList<>();
  private final List<UdpLink> heldBack = new ArrayList<>();
  private int depth;
  private boolean isTransmitting;

  /** Written in the present turn of a device to send. */
  private int bursts;

  private int bytes;

  Turns(Loop loop) {
    this.loop = loop;
  }

  EventLoop loop() {
    return loop.events();
  }

  /** Whether a device may transmit within the present call, rather than in a later turn. */
  boolean canTransmitNow() {
    return loop().inEventLoop() && !isTransmitting;
  }

  /** Runs a device's transmission; a device that rings meanwhile has its turn later. */
  void transmit(Runnable transmission) {
    isTransmitting = true;
    bursts = 0;
    bytes = 0;
    try {
      run(transmission);
    } finally {
      isTransmitting = false;
    }
  }

  /** Whether the device whose turn it is has sent as much as a turn takes. */
  boolean isUsedUp() {
    return isTransmitting && (bursts >= BURSTS || bytes >= BYTES);
  }

  /** Runs anything else of a device. */
  void run(Runnable step) {
    depth++;
    try {
      step.run();
    } catch (RuntimeException | AssertionError e) {
      // A bug in one device must not stop the others, which share the loop and their sockets.
      LOG.error("A device failed; the UDP network goes on", e);
    } finally {
      depth--;
      if (depth == 0) {
        flush();
      }
    }
  }

  /** Runs something on the loop soon; nothing if the loop has ended. */
  void later(Runnable task) {
    give(loop.events(), task);
  }

  /** The same for what devices have to send, which a thread that posts may do at once. */
  void soon(Runnable task) {
    give(loop::soon, task);
  }

  private static void give(Executor taker, Runnable task) {
    try {
      taker.execute(task);
    } catch (RejectedExecutionException e) {
      LOG.debug("The UDP network is closed; a late task is dropped");
    }
  }

  void wrote(UdpLink link, int burstBytes) {
    bursts++;
    bytes += burstBytes;
    if (!written.contains(link)) {
      written.add(link);
    }
  }

  void heldBack(UdpLink link) {
    if (!heldBack.contains(link)) {
      heldBack.add(link);
    }
  }

  /** Rings for the devices that were held back, if there is room for them in a turn to come. */
  void resume() {
    for (int i = heldBack.size() - 1; i >= 0; i--) {
      UdpLink link = heldBack.get(i);
      if (link.hasRoom()) {
        heldBack.remove(i);
        link.ringLater();
      }
    }
  }

  void forget(UdpLink link) {
    heldBack.remove(link);
  }

  private void flush() {
    for (int i = 0; i < written.size(); i++) {
      written.get(i).flush();
    }
    written.clear();
  }
}
