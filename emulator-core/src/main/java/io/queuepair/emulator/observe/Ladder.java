// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.RawFrame;
import io.queuepair.emulator.wire.Route;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lines of a {@link LadderTrace}. */
final class Ladder implements PacketObserver {
  private static final Logger LOG = LoggerFactory.getLogger(Ladder.class);

  private final long originNanos;
  private final UnaryOperator<String> names;
  private final Consumer<String> output;
  private final LadderText text = new LadderText();
  private final LadderLayout layout = new LadderLayout();

  private final ArrayDeque<String> pending = new ArrayDeque<>();

  /** Held while lines go out, so that they stay in order; no device's lock is held then. */
  private final ReentrantLock writing = new ReentrantLock();

  Ladder(long originNanos, UnaryOperator<String> names, Consumer<String> output) {
    this.originNanos = originNanos;
    this.names = names;
    this.output = output;
  }

  @Override
  public synchronized void packet(ObservedPacket observed, Packet packet, @Nullable String fault) {
    add(observed.nowNanos(), packet.route(), text.of(packet) + words(fault));
  }

  @Override
  public synchronized void datagram(
      ObservedPacket observed,
      Route route,
      int identification,
      Payload payload,
      PacketComment comment) {
    add(observed.nowNanos(), route, text.of(route, payload) + words(comment.fault()));
  }

  /** Shows Ethernet addresses as the hosts: a frame need not have IP addresses. */
  @Override
  public synchronized void frame(ObservedPacket observed, RawFrame frame, @Nullable String fault) {
    String source = frame.source().toString();
    String destination = frame.destination().toString();
    add(observed.nowNanos(), source, destination, frame + words(fault));
  }

  private static String words(@Nullable String fault) {
    return fault == null ? "" : ", " + fault;
  }

  @Override
  public synchronized void annotate(long nowNanos, InetAddress host, String note) {
    pending.add(
        layout.annotation(nowNanos - originNanos, names.apply(host.getHostAddress()), note));
  }

  /** Writes the lines, or leaves them to a thread that is writing, which may wait for this one. */
  @Override
  public void flush(long nowNanos) {
    while (hasLines() && writing.tryLock()) {
      try {
        writeAll();
      } finally {
        writing.unlock();
      }
    }
  }

  @Override
  public void close() {
    writing.lock();
    try {
      writeAll();
    } finally {
      writing.unlock();
    }
  }

  private void writeAll() {
    for (String line = nextLine(); line != null; line = nextLine()) {
      write(line);
    }
  }

  /** Writes a line; a failure is only logged, as it must not disturb the traffic. */
  private void write(String line) {
    try {
      output.accept(line);
    } catch (RuntimeException failure) {
      LOG.error("A line of a ladder was lost, as its output failed.", failure);
    }
  }

  private synchronized boolean hasLines() {
    return !pending.isEmpty();
  }

  private synchronized @Nullable String nextLine() {
    return pending.poll();
  }

  private void add(long nowNanos, Route route, String what) {
    add(nowNanos, route.source().getHostAddress(), route.destination().getHostAddress(), what);
  }

  private void add(long nowNanos, String source, String destination, String what) {
    pending.add(
        layout.line(nowNanos - originNanos, names.apply(source), names.apply(destination), what));
  }
}
