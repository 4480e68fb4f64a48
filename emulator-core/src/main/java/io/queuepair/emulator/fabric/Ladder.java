package io.queuepair.emulator.fabric;

import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.Route;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** The lines of a {@link LadderTrace}. */
final class Ladder implements PacketObserver {
  private final long originNanos;
  private final Consumer<String> output;
  private final LadderText text = new LadderText();

  /** The place of each host among the columns, left to right. */
  private final Map<InetAddress, Integer> columns = new LinkedHashMap<>();

  private final ArrayDeque<String> pending = new ArrayDeque<>();

  /** Held while lines go out, so that they stay in order; no device's lock is held then. */
  private final ReentrantLock writing = new ReentrantLock();

  /** The longest name so far, so that the text after the hosts starts in one column. */
  private int hostWidth;

  Ladder(long originNanos, Consumer<String> output) {
    this.originNanos = originNanos;
    this.output = output;
  }

  @Override
  public synchronized void packet(long nowNanos, Packet packet) {
    add(nowNanos, packet.route(), text.of(packet));
  }

  @Override
  public synchronized void datagram(
      long nowNanos, Route route, int identification, Payload datagram) {
    add(nowNanos, route, text.of(route, datagram));
  }

  @Override
  public void flush() {
    writing.lock();
    try {
      for (String line = nextLine(); line != null; line = nextLine()) {
        output.accept(line);
      }
    } finally {
      writing.unlock();
    }
  }

  @Override
  public void close() {
    flush();
  }

  private synchronized String nextLine() {
    return pending.poll();
  }

  private void add(long nowNanos, Route route, String what) {
    boolean isToTheRight = column(route.source()) <= column(route.destination());
    InetAddress left = isToTheRight ? route.source() : route.destination();
    InetAddress right = isToTheRight ? route.destination() : route.source();
    String hosts =
        pad(left.getHostAddress())
            + (isToTheRight ? " ---> " : " <--- ")
            + pad(right.getHostAddress());
    pending.add(time(nowNanos - originNanos) + "  " + hosts + "  " + what);
  }

  private int column(InetAddress host) {
    hostWidth = Math.max(hostWidth, host.getHostAddress().length());
    Integer known = columns.putIfAbsent(host, columns.size());
    return known == null ? columns.size() - 1 : known;
  }

  private String pad(String host) {
    return host + " ".repeat(hostWidth - host.length());
  }

  private static String time(long nanos) {
    return String.format(Locale.ROOT, "%7d.%03d us", nanos / 1_000, nanos % 1_000);
  }
}
