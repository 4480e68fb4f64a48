package io.queuepair.emulator.faults;

import java.util.List;
import java.util.StringJoiner;

/**
 * Which packets are meant, such as {@code 3rd ACK to 10.0.0.2}.
 *
 * @param kind null for any
 * @param conditions that all must hold
 */
record Selection(Amount amount, PacketKind kind, List<Condition> conditions) {
  Selection {
    conditions = List.copyOf(conditions);
  }

  /** Whether a packet is one of those that are counted. */
  boolean matches(Passing passing) {
    return (kind == null || (passing.packet() != null && kind.has(passing.packet())))
        && conditions.stream().allMatch(condition -> condition.holds(passing));
  }

  @Override
  public String toString() {
    StringJoiner words = new StringJoiner(" ");
    if (!amount.toString().isEmpty()) {
      words.add(amount.toString());
    }
    if (kind != null) {
      words.add(kind.toString());
    } else if (needsNoun()) {
      words.add("packet");
    }
    conditions.forEach(condition -> words.add(condition.toString()));
    return words.toString();
  }

  /** Without one, what follows could be taken for something else. */
  private boolean needsNoun() {
    boolean isAll = amount instanceof Amount.All;
    return !(amount instanceof Amount.Share) && !(isAll && conditions.isEmpty());
  }
}
