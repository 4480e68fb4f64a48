// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import io.queuepair.emulator.DeviceInspector;
import io.queuepair.emulator.observe.CqSnapshot;
import io.queuepair.emulator.observe.PostedSend;
import io.queuepair.emulator.observe.QpSnapshot;
import io.queuepair.emulator.observe.RetryTimer;
import io.queuepair.emulator.observe.SrqSnapshot;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.MigState;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.WorkCompletion;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Display of an object at one moment.
 *
 * @param kind for example {@code RC queue pair}
 * @param state of the object, in one word; empty if it has none
 * @param capacities of its queues by name, if known
 */
record ObjectView(
    String name,
    String kind,
    String state,
    Map<String, String> fields,
    Map<String, List<String>> queues,
    Map<String, Integer> capacities,
    Optional<RetryTimer> retryTimer) {
  private static final String SENDS = "send queue";
  private static final String COMPLETIONS = "completions";
  private static final String QUEUE_PAIR = " queue pair";
  private static final String RECEIVES = "receive queue";

  /** Creates the view of an object; null for types without a display. */
  static ObjectView of(String name, Object object) {
    if (object instanceof QueuePair qp) {
      return of(name, qp);
    }
    if (object instanceof CompletionQueue cq) {
      return of(name, DeviceInspector.of(cq));
    }
    if (object instanceof SharedReceiveQueue srq) {
      return of(name, DeviceInspector.of(srq));
    }
    return null;
  }

  static String kindOf(QpType type) {
    return type + QUEUE_PAIR;
  }

  boolean isQueuePair() {
    return kind.endsWith(QUEUE_PAIR);
  }

  private static ObjectView of(String name, QueuePair qp) {
    QpSnapshot snapshot = DeviceInspector.of(qp);
    QpType type = qp.initAttr().qpType();
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("sq_psn", String.valueOf(snapshot.sqPsn()));
    if (type != QpType.UD) {
      fields.put("rq_psn", String.valueOf(snapshot.rqPsn()));
    }
    if (snapshot.pathMigState() != MigState.MIGRATED) {
      fields.put("path_mig_state", snapshot.pathMigState().name());
    }
    Map<String, List<String>> queues = new LinkedHashMap<>();
    if (type != QpType.XRC_RECV) {
      queues.put(SENDS, snapshot.sendQueue().stream().map(ObjectView::text).toList());
    }
    boolean isXrc = type == QpType.XRC_SEND || type == QpType.XRC_RECV;
    if (qp.initAttr().srq() == null && !isXrc) {
      queues.put(RECEIVES, numbers(snapshot.receiveQueue()));
    }
    QpCap cap = qp.initAttr().cap();
    Map<String, Integer> capacities = Map.of(SENDS, cap.maxSendWr(), RECEIVES, cap.maxRecvWr());
    boolean isDraining = snapshot.state() == QpState.SQD && snapshot.isDraining();
    String state = snapshot.state() + (isDraining ? " draining" : "");
    return new ObjectView(
        name, kindOf(type), state, fields, queues, capacities, snapshot.retryTimer());
  }

  private static String text(PostedSend send) {
    return send.wrId() + " " + send.opcode() + (send.isStarted() ? " (started)" : "");
  }

  private static List<String> numbers(List<Long> workRequests) {
    return workRequests.stream().map(String::valueOf).toList();
  }

  private static ObjectView of(String name, CqSnapshot cq) {
    String state = cq.isOverrun() ? "overrun" : cq.isArmed() ? "armed" : "";
    List<String> completions = cq.completions().stream().map(ObjectView::text).toList();
    return new ObjectView(
        name,
        "completion queue",
        state,
        Map.of("cqe", String.valueOf(cq.cqe())),
        Map.of(COMPLETIONS, completions),
        Map.of(COMPLETIONS, cq.cqe()),
        Optional.empty());
  }

  private static String text(WorkCompletion completion) {
    return completion.wrId() + " " + completion.status();
  }

  private static ObjectView of(String name, SrqSnapshot srq) {
    return new ObjectView(
        name,
        "shared receive queue",
        "",
        Map.of("srq_limit", String.valueOf(srq.srqLimit())),
        Map.of(RECEIVES, numbers(srq.receiveQueue())),
        Map.of(),
        Optional.empty());
  }
}
