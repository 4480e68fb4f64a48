package io.queuepair.emulator.qp;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.emulator.profile.Transition;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.VerbsException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** Decides whether one call of {@code ibv_modify_qp} is allowed; changes nothing. */
public final class QpModification {
  /** What the responder side has, an initiator does not; and the other way round. */
  private static final Set<QpAttrMask> NOT_OF_XRC_SEND =
      EnumSet.of(QpAttrMask.MAX_DEST_RD_ATOMIC, QpAttrMask.MIN_RNR_TIMER);

  private static final Set<QpAttrMask> NOT_OF_XRC_RECV =
      EnumSet.of(QpAttrMask.MAX_QP_RD_ATOMIC, QpAttrMask.RETRY_CNT, QpAttrMask.RNR_RETRY);

  private QpModification() {}

  /**
   * Checks the call.
   *
   * @return the attributes that count: those of the mask without those that the type has no use
   *     for, which Linux ignores too
   * @throws VerbsException naming everything that is wrong
   */
  public static Set<QpAttrMask> check(
      QpContext qp, QpAttr attr, Set<QpAttrMask> mask, DeviceFacts device) {
    DeviceProfile profile = device.profile();
    Set<QpAttrMask> counted = counted(qp.type(), mask);
    if (counted.isEmpty() && !profile.has(Quirk.EMPTY_MASK_CHECKED)) {
      return counted;
    }
    boolean isBelieved =
        counted.contains(QpAttrMask.CUR_STATE) && profile.has(Quirk.CUR_STATE_BELIEVED);
    QpState from = isBelieved ? attr.curQpState() : qp.state();
    QpState to = counted.contains(QpAttrMask.STATE) ? attr.qpState() : from;
    Refusal refusal = new Refusal("ibv_modify_qp", from + " -> " + to + " (" + qp.type() + ")");
    if (counted.contains(QpAttrMask.RATE_LIMIT) && profile.has(Quirk.RATE_LIMIT_UNKNOWN)) {
      refusal.object(Errno.EOPNOTSUPP, "RATE_LIMIT is not offered by this device");
    }
    QpAttributeRanges.check(qp, attr, counted, device, refusal);
    checkMask(
        profile.transitions().find(qp.type(), from, to),
        profile.has(Quirk.AV_BRINGS_PORT) ? withPortOfAddress(counted, to) : counted,
        refusal);
    if (counted.contains(QpAttrMask.CUR_STATE) && attr.curQpState() != from) {
      refusal.object("CUR_STATE says " + attr.curQpState() + ", but the queue pair is in " + from);
    }
    if (qp.isDraining() && !mayInterruptDraining(to, counted, profile)) {
      refusal.object("sends that have started are still being finished (SQ_DRAINED tells)");
    }
    refusal.throwIfAny();
    return counted;
  }

  private static Set<QpAttrMask> counted(QpType type, Set<QpAttrMask> mask) {
    Set<QpAttrMask> counted = EnumSet.noneOf(QpAttrMask.class);
    counted.addAll(mask);
    if (type == QpType.XRC_SEND) {
      counted.removeAll(NOT_OF_XRC_SEND);
    } else if (type == QpType.XRC_RECV) {
      counted.removeAll(NOT_OF_XRC_RECV);
    }
    return counted;
  }

  /** As {@code modify_qp} of ib_uverbs has it, which takes the port from the address vector. */
  private static Set<QpAttrMask> withPortOfAddress(Set<QpAttrMask> mask, QpState to) {
    boolean isConnecting = mask.contains(QpAttrMask.STATE) && to == QpState.RTR;
    if (isConnecting || !mask.contains(QpAttrMask.AV)) {
      return mask;
    }
    Set<QpAttrMask> more = EnumSet.copyOf(mask);
    more.add(QpAttrMask.PORT);
    return more;
  }

  private static void checkMask(
      Optional<Transition> transition, Set<QpAttrMask> mask, Refusal refusal) {
    if (transition.isEmpty()) {
      refusal.objectToTransition();
      return;
    }
    Set<QpAttrMask> missing = EnumSet.noneOf(QpAttrMask.class);
    missing.addAll(transition.get().required());
    missing.removeAll(mask);
    Set<QpAttrMask> forbidden = EnumSet.noneOf(QpAttrMask.class);
    forbidden.addAll(mask);
    forbidden.removeAll(transition.get().required());
    forbidden.removeAll(transition.get().optional());
    forbidden.remove(QpAttrMask.STATE);
    refusal.objectToMask(missing, forbidden);
  }

  private static boolean mayInterruptDraining(
      QpState to, Set<QpAttrMask> mask, DeviceProfile profile) {
    if (profile.has(Quirk.DRAINING_HOLDS_RESET)) {
      return to == QpState.ERR || !mask.contains(QpAttrMask.STATE);
    }
    return to == QpState.ERR || to == QpState.RESET;
  }
}
