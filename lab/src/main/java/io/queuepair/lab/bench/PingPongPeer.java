// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WorkCompletion;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

final class PingPongPeer {
  private static final int RECEIVES_POSTED = 16;

  /** Number of SENDs per signaled one, whose completion frees the slots of all. */
  private static final int SENDS_PER_COMPLETION = 32;

  private static final Duration TIMEOUT = Duration.ofMillis(200);

  private final CompletionChannel channel;
  private final CompletionQueue sent;
  private final CompletionQueue received;
  private final QueuePair qp;
  private final List<SendWr> send;
  private final List<SendWr> signaledSend;
  private final List<RecvWr> receive;
  private final WorkCompletion[] completions = new WorkCompletion[1];
  private long sends;

  PingPongPeer(DevicePair pair, int device, int messageBytes, boolean isBlocking) {
    Context context = pair.context(device);
    channel = isBlocking ? context.createCompChannel() : null;
    sent = context.createCq(2);
    received = context.createCq(RECEIVES_POSTED, channel);
    QpCap cap = new QpCap(2 * SENDS_PER_COMPLETION, RECEIVES_POSTED, 1, 1, 0);
    qp = pair.domain(device).createQp(new QpInitAttr(QpType.RC, sent, received, null, cap, false));
    MemoryRegion memory = pair.memory(device, messageBytes);
    SendWr signaled = SendWr.send(0, memory.sge());
    signaledSend = List.of(signaled);
    send = List.of(signaled.withFlags(new SendFlag[0]));
    receive = List.of(RecvWr.of(0, memory.sge()));
  }

  QueuePair qp() {
    return qp;
  }

  /** Posts receives; the queue pair must be connected. */
  void begin() {
    for (int i = 0; i < RECEIVES_POSTED; i++) {
      qp.postRecv(receive);
    }
    if (channel != null) {
      received.reqNotify(false);
    }
  }

  void send() {
    sends++;
    if (sends % SENDS_PER_COMPLETION != 0) {
      qp.postSend(send);
      return;
    }
    if (sends > SENDS_PER_COMPLETION) {
      while (!take(sent)) {
        Thread.onSpinWait();
      }
    }
    qp.postSend(signaledSend);
  }

  /** Waits for the next message and reposts its receive; false if the condition holds first. */
  boolean receiveUnless(BooleanSupplier isOver) {
    while (!take(received)) {
      if (isOver.getAsBoolean()) {
        return false;
      }
      pause();
    }
    qp.postRecv(receive);
    return true;
  }

  /** Spins, or blocks on the completion channel for at most {@link #TIMEOUT}. */
  private void pause() {
    if (channel == null) {
      Thread.onSpinWait();
    } else if (channel.getCqEvent(TIMEOUT).isPresent()) {
      received.ackEvents(1);
      received.reqNotify(false);
    }
  }

  private boolean take(CompletionQueue cq) {
    if (cq.poll(completions) == 0) {
      return false;
    }
    DevicePair.requireSuccess(completions[0]);
    return true;
  }
}
