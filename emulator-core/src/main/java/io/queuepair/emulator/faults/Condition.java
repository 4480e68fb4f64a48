// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import io.queuepair.emulator.wire.Packet;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Condition on a packet; {@code toString} gives it in the language of plans. */
sealed interface Condition {
  boolean holds(PacketContext packetContext);

  /** It comes from a host. */
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

  /** It goes to a host, or a multicast group. */
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

  /** It is for a queue pair. */
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

  /** Its PSN is one of some, which may wrap. */
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

  /** Its fields have certain values. */
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
   * The time has come, and is not over.
   *
   * @param forNanos how long it lasts; 0 for ever
   */
  record During(long atNanos, long forNanos) implements Condition {
    static final During ALWAYS = new During(0, 0);

    @Override
    public boolean holds(PacketContext packetContext) {
      return holds(packetContext.nanos());
    }

    /** Whether it holds so long after the beginning of the plan. */
    boolean holds(long nanos) {
      long sinceNanos = nanos - atNanos;
      return sinceNanos >= 0 && (forNanos == 0 || sinceNanos < forNanos);
    }

    /** Only if it ends. */
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
