// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import io.queuepair.emulator.Emulator;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.WorkCompletion;
import java.util.Arrays;
import java.util.Optional;

/**
 * Exchange of messages: each queue pair sends when its last send has completed and an answer has
 * arrived. Ends when enough messages are sent and received.
 */
final class PingpongLoop {
  /** Empty polls before the thread sleeps: about a round trip on one host. */
  private static final int SPINS = 500;

  private final Emulator emulator;
  private final PingpongContext context;
  private final PingpongQueuePairs qps;
  private final LoopLimits limits;
  private final WorkCompletion[] completions;
  private final long[] sentBy;
  private final boolean[] awaitsSend;
  private final boolean[] awaitsReceive;
  private long sent;
  private long received;
  private int postedReceives;
  private int events;

  /**
   * Limits of the exchange.
   *
   * @param total messages to send, and to receive, by all queue pairs together
   * @param each messages that one queue pair may send
   * @param rxDepth receives to keep posted
   */
  record LoopLimits(long total, int each, int rxDepth) {}

  /**
   * Prepares the exchange.
   *
   * @param qps connected queue pairs with all their receives posted
   */
  PingpongLoop(
      Emulator emulator, PingpongContext context, PingpongQueuePairs qps, LoopLimits limits) {
    this.emulator = emulator;
    this.context = context;
    this.qps = qps;
    this.limits = limits;
    postedReceives = limits.rxDepth();
    // At most one send and one receive of each queue pair can be completed and not polled. One
    // event may announce all of them, so all are polled.
    completions = new WorkCompletion[2 * qps.count()];
    sentBy = new long[qps.count()];
    awaitsSend = new boolean[qps.count()];
    awaitsReceive = new boolean[qps.count()];
    Arrays.fill(awaitsReceive, true);
  }

  /** Sends the first message of each queue pair, which only one side does. */
  void serve() {
    for (int i = 0; i < qps.count(); i++) {
      send(i);
    }
  }

  /** Runs to the end; returns the failed completion that ended the exchange early, if any. */
  Optional<WorkCompletion> play() {
    Optional<WorkCompletion> failed = Optional.empty();
    while (failed.isEmpty() && (received < limits.total() || sent < limits.total())) {
      failed = context.channel == null ? takeByPolling() : takeAfterEvent();
    }
    if (events > 0) {
      context.cq.ackEvents(events);
    }
    return failed;
  }

  private Optional<WorkCompletion> takeAfterEvent() {
    CompletionQueue announced = context.channel.getCqEvent();
    events++;
    announced.reqNotify(false);
    return take(announced.poll(completions));
  }

  private Optional<WorkCompletion> takeByPolling() {
    for (int spin = 0; spin < SPINS; spin++) {
      int count = context.cq.poll(completions);
      if (count > 0) {
        return take(count);
      }
      Thread.onSpinWait();
    }
    completions[0] = emulator.await(context.cq);
    return take(1);
  }

  private Optional<WorkCompletion> take(int count) {
    for (int i = 0; i < count; i++) {
      if (!completions[i].isSuccess()) {
        return Optional.of(completions[i]);
      }
      advance(completions[i]);
    }
    return Optional.empty();
  }

  private void advance(WorkCompletion completion) {
    int index = qps.indexOf(completion.qpNum());
    if (completion.wrId() == PingpongContext.SEND_WR_ID) {
      sent++;
      awaitsSend[index] = false;
    } else {
      received++;
      awaitsReceive[index] = false;
      postedReceives--;
      refill();
    }
    boolean mayServe = sent < limits.total() && sentBy[index] < limits.each();
    if (mayServe && !awaitsSend[index] && !awaitsReceive[index]) {
      send(index);
    }
  }

  /** Posts receives before fewer than one is left for each queue pair. */
  private void refill() {
    if (postedReceives <= qps.count()) {
      qps.postReceives(limits.rxDepth() - postedReceives);
      postedReceives = limits.rxDepth();
    }
  }

  private void send(int index) {
    qps.postSend(index);
    sentBy[index]++;
    awaitsSend[index] = true;
    awaitsReceive[index] = true;
  }
}
