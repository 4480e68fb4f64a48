package io.queuepair.emulator.qp;

import static io.queuepair.verbs.QpAttrMask.ACCESS_FLAGS;
import static io.queuepair.verbs.QpAttrMask.ALT_PATH;
import static io.queuepair.verbs.QpAttrMask.AV;
import static io.queuepair.verbs.QpAttrMask.CUR_STATE;
import static io.queuepair.verbs.QpAttrMask.DEST_QPN;
import static io.queuepair.verbs.QpAttrMask.EN_SQD_ASYNC_NOTIFY;
import static io.queuepair.verbs.QpAttrMask.MAX_DEST_RD_ATOMIC;
import static io.queuepair.verbs.QpAttrMask.MAX_QP_RD_ATOMIC;
import static io.queuepair.verbs.QpAttrMask.MIN_RNR_TIMER;
import static io.queuepair.verbs.QpAttrMask.PATH_MIG_STATE;
import static io.queuepair.verbs.QpAttrMask.PATH_MTU;
import static io.queuepair.verbs.QpAttrMask.PKEY_INDEX;
import static io.queuepair.verbs.QpAttrMask.PORT;
import static io.queuepair.verbs.QpAttrMask.QKEY;
import static io.queuepair.verbs.QpAttrMask.RATE_LIMIT;
import static io.queuepair.verbs.QpAttrMask.RETRY_CNT;
import static io.queuepair.verbs.QpAttrMask.RNR_RETRY;
import static io.queuepair.verbs.QpAttrMask.RQ_PSN;
import static io.queuepair.verbs.QpAttrMask.SQ_PSN;
import static io.queuepair.verbs.QpAttrMask.TIMEOUT;
import static io.queuepair.verbs.QpState.ERR;
import static io.queuepair.verbs.QpState.INIT;
import static io.queuepair.verbs.QpState.RESET;
import static io.queuepair.verbs.QpState.RTR;
import static io.queuepair.verbs.QpState.RTS;
import static io.queuepair.verbs.QpState.SQD;
import static io.queuepair.verbs.QpState.SQE;
import static io.queuepair.verbs.QpType.RAW_PACKET;
import static io.queuepair.verbs.QpType.RC;
import static io.queuepair.verbs.QpType.UD;

import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The transitions of a queue pair: which attributes each requires and which it allows besides
 * (ibv_modify_qp(3); Linux {@code qp_state_table}). Reset and Error can be entered from any state,
 * as the specification has it; Linux refuses RESET to ERR.
 */
final class QpTransitions {
  /**
   * One transition.
   *
   * @param required attributes that must be given, besides the state
   * @param optional attributes that may be given
   */
  record Rule(
      QpType type, QpState from, QpState to, Set<QpAttrMask> required, Set<QpAttrMask> optional) {}

  private static final Set<QpAttrMask> NONE = Set.of();

  private static final List<Rule> RULES =
      List.of(
          rule(RC, RESET, RESET, NONE, NONE),
          rule(RC, RESET, INIT, of(ACCESS_FLAGS, PKEY_INDEX, PORT), NONE),
          rule(RC, RESET, ERR, NONE, NONE),
          rule(RC, INIT, RESET, NONE, NONE),
          rule(RC, INIT, INIT, NONE, of(ACCESS_FLAGS, PKEY_INDEX, PORT)),
          rule(
              RC,
              INIT,
              RTR,
              of(AV, PATH_MTU, RQ_PSN, MIN_RNR_TIMER, MAX_DEST_RD_ATOMIC, DEST_QPN),
              of(ACCESS_FLAGS, PKEY_INDEX, ALT_PATH)),
          rule(RC, INIT, ERR, NONE, NONE),
          rule(RC, RTR, RESET, NONE, NONE),
          rule(
              RC,
              RTR,
              RTS,
              of(TIMEOUT, RETRY_CNT, RNR_RETRY, MAX_QP_RD_ATOMIC, SQ_PSN),
              of(CUR_STATE, ACCESS_FLAGS, ALT_PATH, MIN_RNR_TIMER, PATH_MIG_STATE)),
          rule(RC, RTR, ERR, NONE, NONE),
          rule(RC, RTS, RESET, NONE, NONE),
          rule(
              RC,
              RTS,
              RTS,
              NONE,
              of(CUR_STATE, ACCESS_FLAGS, ALT_PATH, MIN_RNR_TIMER, PATH_MIG_STATE)),
          rule(RC, RTS, ERR, NONE, NONE),
          rule(RC, ERR, RESET, NONE, NONE),
          rule(RC, ERR, ERR, NONE, NONE),
          rule(UD, RESET, RESET, NONE, NONE),
          rule(UD, RESET, INIT, of(PKEY_INDEX, PORT, QKEY), NONE),
          rule(UD, RESET, ERR, NONE, NONE),
          rule(UD, INIT, RESET, NONE, NONE),
          rule(UD, INIT, INIT, NONE, of(PKEY_INDEX, PORT, QKEY)),
          rule(UD, INIT, RTR, NONE, of(PKEY_INDEX, QKEY)),
          rule(UD, INIT, ERR, NONE, NONE),
          rule(UD, RTR, RESET, NONE, NONE),
          rule(UD, RTR, RTS, of(SQ_PSN), of(CUR_STATE, QKEY)),
          rule(UD, RTR, ERR, NONE, NONE),
          rule(UD, RTS, RESET, NONE, NONE),
          rule(UD, RTS, RTS, NONE, of(CUR_STATE, QKEY)),
          rule(UD, RTS, SQD, NONE, of(EN_SQD_ASYNC_NOTIFY)),
          rule(UD, RTS, ERR, NONE, NONE),
          rule(UD, SQD, RESET, NONE, NONE),
          rule(UD, SQD, RTS, NONE, of(CUR_STATE, QKEY)),
          rule(UD, SQD, SQD, NONE, of(PKEY_INDEX, QKEY)),
          rule(UD, SQD, ERR, NONE, NONE),
          rule(UD, SQE, RESET, NONE, NONE),
          rule(UD, SQE, RTS, NONE, of(CUR_STATE, QKEY)),
          rule(UD, SQE, ERR, NONE, NONE),
          rule(UD, ERR, RESET, NONE, NONE),
          rule(UD, ERR, ERR, NONE, NONE),
          rule(RAW_PACKET, RESET, RESET, NONE, NONE),
          rule(RAW_PACKET, RESET, INIT, of(PORT), NONE),
          rule(RAW_PACKET, RESET, ERR, NONE, NONE),
          rule(RAW_PACKET, INIT, RESET, NONE, NONE),
          rule(RAW_PACKET, INIT, INIT, NONE, NONE),
          rule(RAW_PACKET, INIT, RTR, NONE, NONE),
          rule(RAW_PACKET, INIT, ERR, NONE, NONE),
          rule(RAW_PACKET, RTR, RESET, NONE, NONE),
          rule(RAW_PACKET, RTR, RTS, NONE, of(RATE_LIMIT)),
          rule(RAW_PACKET, RTR, ERR, NONE, NONE),
          rule(RAW_PACKET, RTS, RESET, NONE, NONE),
          rule(RAW_PACKET, RTS, RTS, NONE, of(RATE_LIMIT)),
          rule(RAW_PACKET, RTS, SQD, NONE, NONE),
          rule(RAW_PACKET, RTS, ERR, NONE, NONE),
          rule(RAW_PACKET, SQD, RESET, NONE, NONE),
          rule(RAW_PACKET, SQD, RTS, NONE, NONE),
          rule(RAW_PACKET, SQD, SQD, NONE, NONE),
          rule(RAW_PACKET, SQD, ERR, NONE, NONE),
          rule(RAW_PACKET, SQE, RESET, NONE, NONE),
          rule(RAW_PACKET, SQE, RTS, NONE, NONE),
          rule(RAW_PACKET, SQE, ERR, NONE, NONE),
          rule(RAW_PACKET, ERR, RESET, NONE, NONE),
          rule(RAW_PACKET, ERR, ERR, NONE, NONE));

  private QpTransitions() {}

  private static Rule rule(
      QpType type, QpState from, QpState to, Set<QpAttrMask> required, Set<QpAttrMask> optional) {
    return new Rule(type, from, to, required, optional);
  }

  private static Set<QpAttrMask> of(QpAttrMask... attributes) {
    Set<QpAttrMask> set = EnumSet.noneOf(QpAttrMask.class);
    Collections.addAll(set, attributes);
    return Collections.unmodifiableSet(set);
  }

  /** The rule of a transition, or null if there is no such transition. */
  static Rule find(QpType type, QpState from, QpState to) {
    for (Rule rule : RULES) {
      if (rule.type() == type && rule.from() == from && rule.to() == to) {
        return rule;
      }
    }
    return null;
  }
}
