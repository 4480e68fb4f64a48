package io.queuepair.emulator.fabric;

import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.RawFrame;
import io.queuepair.emulator.wire.Route;
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
  private final Map<String, Integer> columns = new LinkedHashMap<>();

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
    add(nowNanos, hosts(packet.route()), text.of(packet));
  }

  @Override
  public synchronized void datagram(
      long nowNanos, Route route, int identification, Payload datagram) {
    add(nowNanos, hosts(route), text.of(route, datagram));
  }

  /** Hosts of a frame are its Ethernet addresses: others it need not have. */
  @Override
  public synchronized void frame(long nowNanos, RawFrame frame) {
    Hosts hosts = new Hosts(frame.source().toString(), frame.destination().toString());
    add(nowNanos, hosts, frame.toString());
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

  private record Hosts(String source, String destination) {}

  private static Hosts hosts(Route route) {
    return new Hosts(route.source().getHostAddress(), route.destination().getHostAddress());
  }

  private void add(long nowNanos, Hosts hosts, String what) {
    boolean isToTheRight = column(hosts.source()) <= column(hosts.destination());
    String left = isToTheRight ? hosts.source() : hosts.destination();
    String right = isToTheRight ? hosts.destination() : hosts.source();
    String ladder = pad(left) + (isToTheRight ? " ---> " : " <--- ") + pad(right);
    pending.add(time(nowNanos - originNanos) + "  " + ladder + "  " + what);
  }

  private int column(String host) {
    hostWidth = Math.max(hostWidth, host.length());
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
