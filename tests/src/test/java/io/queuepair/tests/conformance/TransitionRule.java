// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What one transition requires and allows besides the state: the table of Linux as it is printed in
 * {@code qp_transitions.tsv}, and what the documents add to it.
 */
record TransitionRule(
    QpType type, QpState from, QpState to, Set<QpAttrMask> required, Set<QpAttrMask> optional) {
  static final List<QpType> TYPES =
      List.of(QpType.RC, QpType.UC, QpType.UD, QpType.RAW_PACKET, QpType.XRC_SEND, QpType.XRC_RECV);

  static final Set<QpState> STATES = EnumSet.complementOf(EnumSet.of(QpState.UNKNOWN));

  static final List<TransitionRule> OF_LINUX = linux();
  static final List<TransitionRule> OF_DOCUMENTS = documents();

  private static List<TransitionRule> linux() {
    return TsvTable.rows("qp_transitions.tsv").stream()
        .map(
            row ->
                new TransitionRule(
                    QpType.valueOf(row[0]),
                    QpState.valueOf(row[1]),
                    QpState.valueOf(row[2]),
                    attributes(row[3]),
                    attributes(row[4])))
        .toList();
  }

  private static Set<QpAttrMask> attributes(String names) {
    Set<QpAttrMask> attributes = EnumSet.noneOf(QpAttrMask.class);
    if (!names.equals("-")) {
      Stream.of(names.split("\\|")).map(QpAttrMask::valueOf).forEach(attributes::add);
    }
    return attributes;
  }

  /** ERR from any state, and the capacities of queues that are in use. */
  private static List<TransitionRule> documents() {
    Set<QpState> resizable = EnumSet.of(QpState.INIT, QpState.RTR, QpState.RTS, QpState.SQD);
    List<TransitionRule> rules = new ArrayList<>();
    for (TransitionRule rule : OF_LINUX) {
      Set<QpAttrMask> optional = EnumSet.noneOf(QpAttrMask.class);
      optional.addAll(rule.optional);
      if (resizable.contains(rule.from) && resizable.contains(rule.to)) {
        optional.add(QpAttrMask.CAP);
      }
      rules.add(new TransitionRule(rule.type, rule.from, rule.to, rule.required, optional));
    }
    for (QpType type : TYPES) {
      rules.add(
          new TransitionRule(type, QpState.RESET, QpState.ERR, attributes("-"), attributes("-")));
    }
    return rules;
  }

  /** The documented rule of a transition, or null. */
  static TransitionRule of(QpType type, QpState from, QpState to) {
    for (TransitionRule rule : OF_DOCUMENTS) {
      if (rule.type == type && rule.from == from && rule.to == to) {
        return rule;
      }
    }
    return null;
  }

  /** The required attributes and the state. */
  Set<QpAttrMask> mask() {
    Set<QpAttrMask> mask = EnumSet.of(QpAttrMask.STATE);
    mask.addAll(required);
    return mask;
  }

  /** Attributes that are neither required nor optional. */
  Set<QpAttrMask> forbidden() {
    Set<QpAttrMask> forbidden = EnumSet.allOf(QpAttrMask.class);
    forbidden.removeAll(mask());
    forbidden.removeAll(optional);
    return forbidden;
  }

  @Override
  public String toString() {
    return type + " " + from + " -> " + to;
  }
}
