// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Selects packets, such as {@code 3rd ACK to 10.0.0.2}.
 *
 * @param kind null for any
 * @param conditions that all must hold
 */
record PacketFilter(MatchCount matchCount, @Nullable PacketKind kind, List<Condition> conditions) {
  PacketFilter {
    conditions = List.copyOf(conditions);
  }

  /** Whether a packet has the kind and meets all conditions; such packets are counted. */
  boolean matches(PacketContext packetContext) {
    return (kind == null || (packetContext.packet() != null && kind.has(packetContext.packet())))
        && conditions.stream().allMatch(condition -> condition.holds(packetContext));
  }

  @Override
  public String toString() {
    StringJoiner words = new StringJoiner(" ");
    if (!matchCount.toString().isEmpty()) {
      words.add(matchCount.toString());
    }
    if (kind != null) {
      words.add(kind.toString());
    } else if (needsNoun()) {
      words.add("packet");
    }
    conditions.forEach(condition -> words.add(condition.toString()));
    return words.toString();
  }

  /** Whether the text needs the word "packet", without which it could be parsed differently. */
  private boolean needsNoun() {
    boolean isAll = matchCount instanceof MatchCount.All;
    return !(matchCount instanceof MatchCount.Probability) && !(isAll && conditions.isEmpty());
  }
}
