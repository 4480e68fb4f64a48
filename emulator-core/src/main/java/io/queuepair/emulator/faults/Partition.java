// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import java.net.InetAddress;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Prevents hosts from reaching others for some time.
 *
 * @param others hosts that the parted ones cannot reach; empty for all others
 */
record Partition(List<InetAddress> parted, List<InetAddress> others, Condition.During during)
    implements PacketStatement {
  public Partition {
    parted = List.copyOf(parted);
    others = List.copyOf(others);
  }

  @Override
  public Effect effect() {
    return new Effect.Drop();
  }

  @Override
  public List<InetAddress> hosts() {
    return Stream.concat(parted.stream(), others.stream()).toList();
  }

  @Override
  public boolean matches(PacketContext packetContext) {
    return during.holds(packetContext)
        && (separates(packetContext.source(), packetContext.destination())
            || separates(packetContext.destination(), packetContext.source()));
  }

  /** Whether the plan parts a host from another; null is the unknown destination of a frame. */
  private boolean separates(@Nullable InetAddress one, @Nullable InetAddress other) {
    boolean isBeyond = others.isEmpty() ? !isAmong(parted, other) : isAmong(others, other);
    return isAmong(parted, one) && isBeyond;
  }

  private static boolean isAmong(List<InetAddress> hosts, @Nullable InetAddress host) {
    return host != null && hosts.contains(host);
  }

  private static String words(List<InetAddress> list) {
    return list.stream().map(InetAddress::getHostAddress).collect(Collectors.joining(", "));
  }

  @Override
  public String toString() {
    String from = others.isEmpty() ? "" : " from " + words(others);
    return "partition " + words(parted) + from + " " + during;
  }
}
