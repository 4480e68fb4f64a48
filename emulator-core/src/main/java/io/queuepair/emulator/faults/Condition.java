// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import io.queuepair.emulator.wire.Packet;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Condition on a packet; {@code toString} gives it in the plan language. */
sealed interface Condition {
  boolean holds(PacketContext packetContext);

  /** The packet comes from a host. */
  record From(InetAddress host) implements Condition {
    @Override
    public boolean holds(PacketContext packetContext) {
      return host.equals(packetContext.source());
    }

    @Override
    public String toString() {
      return "from " + host.getHostAddress();
    }
  }

  /** The packet goes to a host or a multicast group. */
  record To(@Nullable InetAddress host) implements Condition {
    @Override
    public boolean holds(PacketContext packetContext) {
      return host.equals(packetContext.destination());
    }

    @Override
    public String toString() {
      return "to " + host.getHostAddress();
    }
  }

  /** The packet has a certain destination QPN. */
  record Qp(int number) implements Condition {
    @Override
    public boolean holds(PacketContext packetContext) {
      Packet packet = packetContext.packet();
      return packet != null && packet.destQpn() == number;
    }

    @Override
    public String toString() {
      return "qp " + number;
    }
  }

  /** The PSN of the packet is in a range, which may wrap around. */
  record PsnRange(int first, int last) implements Condition {
    @Override
    public boolean holds(PacketContext packetContext) {
      Packet packet = packetContext.packet();
      if (packet == null) {
        return false;
      }
      boolean isAfter = packet.psn() >= first;
      boolean isBefore = packet.psn() <= last;
      return first <= last ? isAfter && isBefore : isAfter || isBefore;
    }

    @Override
    public String toString() {
      return "psn " + first + (first == last ? "" : ".." + last);
    }
  }

  /** Fields of the packet have certain values. */
  record Where(List<FieldComparison> comparisons) implements Condition {
    public Where {
      comparisons = List.copyOf(comparisons);
    }

    @Override
    public boolean holds(PacketContext packetContext) {
      Packet packet = packetContext.packet();
      return packet != null
          && comparisons.stream().allMatch(comparison -> comparison.holds(packet));
    }

    @Override
    public String toString() {
      return comparisons.stream()
          .map(FieldComparison::toString)
          .collect(Collectors.joining(" and ", "where ", ""));
    }
  }

  /**
   * The present time is in a period after the beginning of the plan.
   *
   * @param forNanos length of the period; 0 if it has no end
   */
  record During(long atNanos, long forNanos) implements Condition {
    static final During ALWAYS = new During(0, 0);

    @Override
    public boolean holds(PacketContext packetContext) {
      return holds(packetContext.nanos());
    }

    /** Whether the period includes a time, in nanoseconds since the beginning of the plan. */
    boolean holds(long nanos) {
      long sinceNanos = nanos - atNanos;
      return sinceNanos >= 0 && (forNanos == 0 || sinceNanos < forNanos);
    }

    /** End of the period; valid only if {@code forNanos} is not 0. */
    long endNanos() {
      return atNanos + forNanos;
    }

    boolean isAlways() {
      return equals(ALWAYS);
    }

    @Override
    public String toString() {
      return "at "
          + DurationFormat.text(atNanos)
          + (forNanos == 0 ? "" : " for " + DurationFormat.text(forNanos));
    }
  }
}
