// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import io.queuepair.emulator.profile.Transition;
import io.queuepair.tools.transitions.TransitionReplay;
import io.queuepair.verbs.MigState;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpState;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A value of an attribute that is out of its range.
 *
 * @param text what is wrong with it
 * @param change sets it
 */
record RefusedValue(String text, Consumer<QpAttr> change) {
  private static final int HUGE = 1 << 24;

  /** One or more for each attribute that has a range. */
  static List<RefusedValue> of(QpAttrMask mask) {
    return switch (mask) {
      case STATE -> List.of();
      case CUR_STATE ->
          List.of(new RefusedValue("another state", attr -> attr.curQpState(QpState.SQE)));
      case PKEY_INDEX ->
          List.of(
              new RefusedValue("5, an empty entry", attr -> attr.pkeyIndex(5)),
              new RefusedValue("100000, behind the table", attr -> attr.pkeyIndex(100_000)));
      case PORT ->
          List.of(
              new RefusedValue("0", attr -> attr.portNum(0)),
              new RefusedValue("9, of a device with fewer ports", attr -> attr.portNum(9)));
      case TIMEOUT -> List.of(new RefusedValue("32", attr -> attr.timeout(32)));
      case RETRY_CNT -> List.of(new RefusedValue("8", attr -> attr.retryCnt(8)));
      case RNR_RETRY -> List.of(new RefusedValue("8", attr -> attr.rnrRetry(8)));
      case MIN_RNR_TIMER -> List.of(new RefusedValue("32", attr -> attr.minRnrTimer(32)));
      case MAX_QP_RD_ATOMIC ->
          List.of(new RefusedValue("16777216", attr -> attr.maxRdAtomic(HUGE)));
      case MAX_DEST_RD_ATOMIC ->
          List.of(new RefusedValue("16777216", attr -> attr.maxDestRdAtomic(HUGE)));
      case PATH_MIG_STATE ->
          List.of(
              new RefusedValue(
                  "ARMED, which the device sets", attr -> attr.pathMigState(MigState.ARMED)));
      case CAP -> List.of(new RefusedValue("16777216 requests", attr -> attr.cap(QpCap.of(HUGE))));
      case EN_SQD_ASYNC_NOTIFY,
          ACCESS_FLAGS,
          QKEY,
          AV,
          PATH_MTU,
          RQ_PSN,
          SQ_PSN,
          ALT_PATH,
          DEST_QPN,
          RATE_LIMIT ->
          List.of();
    };
  }

  /** Answers of the device to each value; empty if an attribute has no such values. */
  static String table(QpAttrMask mask, TransitionReplay device) {
    Optional<Transition> row =
        StateFacts.TABLE.rows().stream()
            .filter(found -> TransitionReplay.canReach(found.from()))
            .filter(found -> found.required().contains(mask) || found.optional().contains(mask))
            .findFirst();
    if (row.isEmpty() || of(mask).isEmpty()) {
      return "";
    }
    StringBuilder table = new StringBuilder("\n## Values that are refused\n\n");
    table.append("The answers of the device.\n\n").append(LookUpPage.head("value", "answer"));
    for (RefusedValue value : of(mask)) {
      String answer = device.refusal(row.get(), mask, value.change());
      table.append(LookUpPage.row(value.text(), answer.isEmpty() ? "accepted" : answer));
    }
    return table.toString();
  }
}
