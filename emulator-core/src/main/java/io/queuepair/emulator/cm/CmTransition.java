// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.cm;

import static io.queuepair.emulator.cm.CmAction.EXTEND_WAIT;
import static io.queuepair.emulator.cm.CmAction.LEARN_PEER;
import static io.queuepair.emulator.cm.CmAction.SEND;
import static io.queuepair.emulator.cm.CmAction.SEND_AGAIN;
import static io.queuepair.emulator.cm.CmAction.SEND_AND_WAIT;
import static io.queuepair.emulator.cm.CmAction.SEND_DREP;
import static io.queuepair.emulator.cm.CmAction.SEND_DREQ;
import static io.queuepair.emulator.cm.CmAction.SEND_MRA;
import static io.queuepair.emulator.cm.CmAction.SEND_REJ_CONSUMER;
import static io.queuepair.emulator.cm.CmAction.SEND_REJ_STALE;
import static io.queuepair.emulator.cm.CmAction.SEND_REJ_TIMEOUT;
import static io.queuepair.emulator.cm.CmAction.SEND_RTU;
import static io.queuepair.emulator.cm.CmAction.SEND_SIDR_REJECT;
import static io.queuepair.emulator.cm.CmState.DREQ_RCVD;
import static io.queuepair.emulator.cm.CmState.DREQ_SENT;
import static io.queuepair.emulator.cm.CmState.ESTABLISHED;
import static io.queuepair.emulator.cm.CmState.IDLE;
import static io.queuepair.emulator.cm.CmState.MRA_REP_RCVD;
import static io.queuepair.emulator.cm.CmState.MRA_REP_SENT;
import static io.queuepair.emulator.cm.CmState.MRA_REQ_RCVD;
import static io.queuepair.emulator.cm.CmState.MRA_REQ_SENT;
import static io.queuepair.emulator.cm.CmState.REJ_SENT;
import static io.queuepair.emulator.cm.CmState.REP_RCVD;
import static io.queuepair.emulator.cm.CmState.REP_SENT;
import static io.queuepair.emulator.cm.CmState.REQ_RCVD;
import static io.queuepair.emulator.cm.CmState.REQ_SENT;
import static io.queuepair.emulator.cm.CmState.SIDR_REP_SENT;
import static io.queuepair.emulator.cm.CmState.SIDR_REQ_RCVD;
import static io.queuepair.emulator.cm.CmState.SIDR_REQ_SENT;
import static io.queuepair.emulator.cm.CmState.TIMEWAIT;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Effect of one input in one state. All of them form the table of the protocol, after {@code cm.c}
 * of Linux and InfiniBand Architecture volume 1, 12.9. Without a row, a message is ignored and a
 * call is refused.
 *
 * @param event event for the layer above; null if there is none
 */
public record CmTransition(
    CmState from, CmInput input, List<CmAction> actions, CmState to, @Nullable CmEventType event) {

  private static final Map<CmState, Map<CmInput, CmTransition>> TABLE =
      new EnumMap<>(CmState.class);

  static {
    fillActive();
    fillPassive();
    fillConnected();
    fillSidr();
  }

  public static @Nullable CmTransition of(CmState from, CmInput input) {
    return TABLE.getOrDefault(from, Map.of()).get(input);
  }

  /** All transitions, by state and input. */
  public static List<CmTransition> all() {
    List<CmTransition> transitions = new ArrayList<>();
    TABLE.values().forEach(byInput -> transitions.addAll(byInput.values()));
    return transitions;
  }

  private static void fillActive() {
    row(IDLE, CmInput.SEND_REQ, REQ_SENT, null, SEND_AND_WAIT);
    row(REQ_SENT, CmInput.MRA_OF_REQ, MRA_REQ_RCVD, CmEventType.MRA_RECEIVED, EXTEND_WAIT);
    for (CmState state : List.of(REQ_SENT, MRA_REQ_RCVD)) {
      row(state, CmInput.NO_ANSWER, state, null, SEND_AGAIN);
      row(state, CmInput.RETRIES_EXHAUSTED, IDLE, CmEventType.REQ_ERROR, SEND_REJ_TIMEOUT);
      row(state, CmInput.REP, REP_RCVD, CmEventType.REP_RECEIVED, LEARN_PEER);
      row(state, CmInput.STALE_REP, state, null, SEND_REJ_STALE);
      row(state, CmInput.REJ, IDLE, CmEventType.REJ_RECEIVED);
      row(state, CmInput.REJ_STALE, TIMEWAIT, CmEventType.REJ_RECEIVED);
      row(state, CmInput.SEND_REJ, IDLE, null, SEND);
      row(state, CmInput.DESTROY, IDLE, null, SEND_REJ_TIMEOUT);
    }
    row(REP_RCVD, CmInput.PREPARE_MRA, MRA_REP_SENT, null);
    row(MRA_REP_SENT, CmInput.REP, MRA_REP_SENT, null, SEND_MRA);
    for (CmState state : List.of(REP_RCVD, MRA_REP_SENT)) {
      row(state, CmInput.SEND_RTU, ESTABLISHED, null, SEND);
      row(state, CmInput.SEND_REJ, TIMEWAIT, null, SEND);
      row(state, CmInput.REJ, TIMEWAIT, CmEventType.REJ_RECEIVED);
      row(state, CmInput.REJ_STALE, TIMEWAIT, CmEventType.REJ_RECEIVED);
      row(state, CmInput.DREQ, DREQ_RCVD, CmEventType.DREQ_RECEIVED);
      row(state, CmInput.STALE_REQ, DREQ_SENT, null, SEND_REJ_STALE, SEND_DREQ);
      row(state, CmInput.DESTROY, TIMEWAIT, null, SEND_REJ_CONSUMER);
    }
    // The passive side repeats its REP, so the RTU was lost.
    row(ESTABLISHED, CmInput.REP, ESTABLISHED, null, SEND_RTU);
  }

  private static void fillPassive() {
    row(IDLE, CmInput.REQ, REQ_RCVD, CmEventType.REQ_RECEIVED, LEARN_PEER);
    row(REQ_RCVD, CmInput.PREPARE_MRA, MRA_REQ_SENT, null);
    row(MRA_REQ_SENT, CmInput.REQ, MRA_REQ_SENT, null, SEND_MRA);
    for (CmState state : List.of(REQ_RCVD, MRA_REQ_SENT)) {
      row(state, CmInput.SEND_REP, REP_SENT, null, SEND_AND_WAIT);
      row(state, CmInput.SEND_REJ, REJ_SENT, null, SEND);
      row(state, CmInput.STALE_REQ, state, null, SEND_REJ_STALE);
      row(state, CmInput.REJ, IDLE, CmEventType.REJ_RECEIVED);
      row(state, CmInput.REJ_STALE, IDLE, CmEventType.REJ_RECEIVED);
      row(state, CmInput.DESTROY, REJ_SENT, null, SEND_REJ_CONSUMER);
    }
    row(REJ_SENT, CmInput.REQ, REJ_SENT, null, SEND_AGAIN);
    row(REJ_SENT, CmInput.TIME_OVER, IDLE, null);
    row(REJ_SENT, CmInput.DESTROY, REJ_SENT, null);
    row(REP_SENT, CmInput.MRA_OF_REP, MRA_REP_RCVD, CmEventType.MRA_RECEIVED, EXTEND_WAIT);
    for (CmState state : List.of(REP_SENT, MRA_REP_RCVD)) {
      row(state, CmInput.REQ, state, null, SEND_AGAIN);
      row(state, CmInput.NO_ANSWER, state, null, SEND_AGAIN);
      row(state, CmInput.RETRIES_EXHAUSTED, TIMEWAIT, CmEventType.REP_ERROR, SEND_REJ_TIMEOUT);
      row(state, CmInput.DISPLACED, TIMEWAIT, CmEventType.REP_ERROR, SEND_REJ_TIMEOUT);
      row(state, CmInput.RTU, ESTABLISHED, CmEventType.RTU_RECEIVED);
      row(state, CmInput.NOTIFY, ESTABLISHED, CmEventType.USER_ESTABLISHED);
      row(state, CmInput.SEND_REJ, TIMEWAIT, null, SEND);
      row(state, CmInput.REJ, TIMEWAIT, CmEventType.REJ_RECEIVED);
      row(state, CmInput.REJ_STALE, TIMEWAIT, CmEventType.REJ_RECEIVED);
      row(state, CmInput.DREQ, DREQ_RCVD, CmEventType.DREQ_RECEIVED);
      row(state, CmInput.STALE_REQ, DREQ_SENT, null, SEND_REJ_STALE, SEND_DREQ);
      row(state, CmInput.DESTROY, TIMEWAIT, null, SEND_REJ_CONSUMER);
    }
  }

  private static void fillConnected() {
    row(ESTABLISHED, CmInput.SEND_DREQ, DREQ_SENT, null, SEND_DREQ);
    row(ESTABLISHED, CmInput.DREQ, DREQ_RCVD, CmEventType.DREQ_RECEIVED);
    row(ESTABLISHED, CmInput.REJ, TIMEWAIT, CmEventType.REJ_RECEIVED);
    row(ESTABLISHED, CmInput.REJ_STALE, TIMEWAIT, CmEventType.REJ_RECEIVED);
    row(ESTABLISHED, CmInput.STALE_REQ, DREQ_SENT, null, SEND_REJ_STALE, SEND_DREQ);
    row(ESTABLISHED, CmInput.STALE_REP, DREQ_SENT, null, SEND_DREQ);
    row(ESTABLISHED, CmInput.DESTROY, DREQ_SENT, null, SEND_DREQ);
    row(DREQ_SENT, CmInput.NO_ANSWER, DREQ_SENT, null, SEND_AGAIN);
    row(DREQ_SENT, CmInput.RETRIES_EXHAUSTED, TIMEWAIT, CmEventType.DREQ_ERROR);
    row(DREQ_SENT, CmInput.DISPLACED, TIMEWAIT, CmEventType.DREQ_ERROR);
    row(DREQ_SENT, CmInput.DREP, TIMEWAIT, CmEventType.DREP_RECEIVED);
    // Both sides disconnect at the same time, and both answer.
    row(DREQ_SENT, CmInput.DREQ, TIMEWAIT, CmEventType.DREQ_RECEIVED, SEND_DREP);
    row(DREQ_SENT, CmInput.REJ, TIMEWAIT, CmEventType.REJ_RECEIVED);
    row(DREQ_SENT, CmInput.REJ_STALE, TIMEWAIT, CmEventType.REJ_RECEIVED);
    row(DREQ_SENT, CmInput.STALE_REQ, DREQ_SENT, null, SEND_REJ_STALE);
    row(DREQ_SENT, CmInput.DESTROY, DREQ_SENT, null);
    row(DREQ_RCVD, CmInput.SEND_DREP, TIMEWAIT, null, SEND_DREP);
    row(DREQ_RCVD, CmInput.DREP, TIMEWAIT, CmEventType.DREP_RECEIVED);
    row(DREQ_RCVD, CmInput.STALE_REQ, DREQ_RCVD, null, SEND_REJ_STALE);
    row(DREQ_RCVD, CmInput.DESTROY, TIMEWAIT, null, SEND_DREP);
    row(TIMEWAIT, CmInput.DREQ, TIMEWAIT, null, SEND_DREP);
    row(TIMEWAIT, CmInput.REQ, TIMEWAIT, null, SEND_REJ_STALE);
    row(TIMEWAIT, CmInput.TIME_OVER, IDLE, CmEventType.TIMEWAIT_EXIT);
    row(TIMEWAIT, CmInput.DISPLACED, IDLE, CmEventType.TIMEWAIT_EXIT);
    row(TIMEWAIT, CmInput.DESTROY, TIMEWAIT, null);
    // A peer that does not know of the end of the connection would repeat its DREQ.
    row(IDLE, CmInput.DREQ, IDLE, null, SEND_DREP);
    row(REJ_SENT, CmInput.DREQ, REJ_SENT, null, SEND_DREP);
    row(IDLE, CmInput.DESTROY, IDLE, null);
  }

  private static void fillSidr() {
    row(IDLE, CmInput.SEND_SIDR_REQ, SIDR_REQ_SENT, null, SEND_AND_WAIT);
    row(SIDR_REQ_SENT, CmInput.NO_ANSWER, SIDR_REQ_SENT, null, SEND_AGAIN);
    row(SIDR_REQ_SENT, CmInput.RETRIES_EXHAUSTED, IDLE, CmEventType.SIDR_REQ_ERROR);
    row(SIDR_REQ_SENT, CmInput.SIDR_REP, IDLE, CmEventType.SIDR_REP_RECEIVED);
    row(SIDR_REQ_SENT, CmInput.DESTROY, IDLE, null);
    row(IDLE, CmInput.SIDR_REQ, SIDR_REQ_RCVD, CmEventType.SIDR_REQ_RECEIVED, LEARN_PEER);
    row(SIDR_REQ_RCVD, CmInput.SEND_SIDR_REP, SIDR_REP_SENT, null, SEND);
    row(SIDR_REQ_RCVD, CmInput.DESTROY, SIDR_REP_SENT, null, SEND_SIDR_REJECT);
    row(SIDR_REP_SENT, CmInput.SIDR_REQ, SIDR_REP_SENT, null, SEND_AGAIN);
    row(SIDR_REP_SENT, CmInput.TIME_OVER, IDLE, null);
    row(SIDR_REP_SENT, CmInput.DESTROY, SIDR_REP_SENT, null);
  }

  private static void row(
      CmState from, CmInput input, CmState to, @Nullable CmEventType event, CmAction... actions) {
    Map<CmInput, CmTransition> byInput =
        TABLE.computeIfAbsent(from, k -> new EnumMap<>(CmInput.class));
    CmTransition transition = new CmTransition(from, input, List.of(actions), to, event);
    CmTransition oldTransition = byInput.put(input, transition);
    assert oldTransition == null : "two rows for " + from + " and " + input;
  }
}
