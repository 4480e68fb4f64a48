package io.queuepair.emulator.qp;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.VerbsException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Decides whether one call of {@code ibv_modify_qp} is allowed; changes nothing. */
public final class QpModification {
  private static final String VERB = "ibv_modify_qp";

  private static final Set<QpState> STATES_TO_CLAIM =
      EnumSet.of(QpState.RTR, QpState.RTS, QpState.SQD, QpState.SQE);

  private QpModification() {}

  /**
   * Checks the call.
   *
   * @return the state the queue pair is in afterwards
   * @throws VerbsException EINVAL, naming everything that is wrong
   */
  public static QpState check(QpContext qp, QpAttr attr, Set<QpAttrMask> mask, PortFacts port) {
    QpState from = qp.state();
    QpState to = mask.contains(QpAttrMask.STATE) ? attr.qpState() : from;
    if (mask.isEmpty()) {
      return from;
    }
    checkClaimedState(from, attr, mask);
    checkTransition(qp, to, mask);
    List<String> wrong = QpAttributeRanges.violations(qp, attr, mask, port);
    if (!wrong.isEmpty()) {
      throw new VerbsException(
          Errno.EINVAL, VERB, transition(qp, to) + ": " + String.join("; ", wrong));
    }
    return to;
  }

  private static void checkClaimedState(QpState from, QpAttr attr, Set<QpAttrMask> mask) {
    if (!mask.contains(QpAttrMask.CUR_STATE)) {
      return;
    }
    QpState claimed = attr.curQpState();
    if (!STATES_TO_CLAIM.contains(claimed) || claimed != from) {
      throw new VerbsException(
          Errno.EINVAL, VERB, "CUR_STATE says " + claimed + ", but the queue pair is in " + from);
    }
  }

  private static void checkTransition(QpContext qp, QpState to, Set<QpAttrMask> mask) {
    QpTransitions.Rule rule = QpTransitions.find(qp.type(), qp.state(), to);
    if (rule == null) {
      throw new VerbsException(
          Errno.EINVAL, VERB, transition(qp, to) + " is not a transition that can be asked for");
    }
    Set<QpAttrMask> missing = EnumSet.noneOf(QpAttrMask.class);
    missing.addAll(rule.required());
    missing.removeAll(mask);
    Set<QpAttrMask> forbidden = EnumSet.noneOf(QpAttrMask.class);
    forbidden.addAll(mask);
    forbidden.removeAll(rule.required());
    forbidden.removeAll(rule.optional());
    forbidden.remove(QpAttrMask.STATE);
    if (!missing.isEmpty() || !forbidden.isEmpty()) {
      String needs = missing.isEmpty() ? "" : " needs " + names(missing);
      String and = missing.isEmpty() || forbidden.isEmpty() ? "" : " and";
      String forbids = forbidden.isEmpty() ? "" : " does not allow " + names(forbidden);
      throw new VerbsException(Errno.EINVAL, VERB, transition(qp, to) + needs + and + forbids);
    }
  }

  private static String transition(QpContext qp, QpState to) {
    return qp.state() + " -> " + to + " (" + qp.type() + ")";
  }

  private static String names(Set<QpAttrMask> attributes) {
    return attributes.stream().map(Enum::name).collect(Collectors.joining(", "));
  }
}
