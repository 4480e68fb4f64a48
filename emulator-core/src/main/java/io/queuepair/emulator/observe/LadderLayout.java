// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Lays lines out as the sequence diagram of a {@link LadderTrace}: hosts stand in the order of
 * their first packet, the arrow points to the receiver. Not thread-safe.
 */
public final class LadderLayout {
  /** The place of each host among the columns, left to right. */
  private final Map<String, Integer> columns = new LinkedHashMap<>();

  /** The longest name so far, so that the text after the hosts starts in one column. */
  private int hostWidth;

  /** Creates a layout without hosts. */
  public LadderLayout() {}

  /**
   * The line of a packet.
   *
   * @param nanos nanoseconds since the beginning
   * @param source the sender
   * @param destination the receiver
   * @param what text about the packet
   * @return the line
   */
  public String line(long nanos, InetAddress source, InetAddress destination, String what) {
    return line(nanos, source.getHostAddress(), destination.getHostAddress(), what);
  }

  String line(long nanos, String source, String destination, String what) {
    boolean isToTheRight = column(source) <= column(destination);
    String left = isToTheRight ? source : destination;
    String right = isToTheRight ? destination : source;
    String ladder = pad(left) + (isToTheRight ? " ---> " : " <--- ") + pad(right);
    return time(nanos) + "  " + ladder + "  " + what;
  }

  /** Line of an event at a host, after some nanoseconds. */
  String annotation(long nanos, String host, String what) {
    return time(nanos) + "  " + host + " *** " + what;
  }

  private int column(String host) {
    hostWidth = Math.max(hostWidth, host.length());
    Integer known = columns.putIfAbsent(host, columns.size());
    return known == null ? columns.size() - 1 : known;
  }

  private String pad(String host) {
    return host + " ".repeat(hostWidth - host.length());
  }

  /**
   * Time at the beginning of a line.
   *
   * @param nanos nanoseconds since the beginning
   * @return microseconds, padded to a fixed width
   */
  public static String time(long nanos) {
    return String.format(Locale.ROOT, "%7d.%03d us", nanos / 1_000, nanos % 1_000);
  }
}
