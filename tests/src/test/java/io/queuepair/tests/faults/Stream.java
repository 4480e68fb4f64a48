// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.conformance.TestEndpoint;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;

/** One queue pair sends numbered messages to another, a few at a time. */
final class Stream {
  /** Messages under way at most. */
  private static final int WINDOW = 4;

  private static final int MESSAGE_BYTES = 4;

  /** 4.096 us * 2^8: 1.05 ms. */
  private static final int TIMEOUT = 8;

  private final QueuePair sender;
  private final QueuePair receiver;
  private final MemoryRegion source;
  private final MemoryRegion target;
  private final List<WorkCompletion> completions = new ArrayList<>();
  private final List<Integer> received = new ArrayList<>();
  private final List<Long> arrivals = new ArrayList<>();
  private int posted;

  Stream(QueuePair sender, QueuePair receiver) {
    this.sender = sender;
    this.receiver = receiver;
    int bytes = Streams.MESSAGES * MESSAGE_BYTES;
    source = TestEndpoint.registerIn(sender.pd(), bytes, TestEndpoint.ALL_RIGHTS);
    target = TestEndpoint.registerIn(receiver.pd(), bytes, TestEndpoint.ALL_RIGHTS);
    toReadyToReceive(sender, receiver);
    toReadyToReceive(receiver, sender);
    sender.modify(
        QpAttr.to(QpState.RTS).sqPsn(0).timeout(TIMEOUT).retryCnt(7).rnrRetry(7).maxRdAtomic(1));
  }

  private static void toReadyToReceive(QueuePair qp, QueuePair peer) {
    qp.modify(
        QpAttr.to(QpState.INIT).pkeyIndex(0).portNum(1).qpAccessFlags(AccessFlag.REMOTE_WRITE));
    qp.modify(
        QpAttr.to(QpState.RTR)
            .ahAttr(AhAttr.to(peer.pd().context().queryGid(1, 0)))
            .pathMtu(Mtu.MTU_1024)
            .destQpNum(peer.qpNum())
            .rqPsn(0)
            .minRnrTimer(12)
            .maxDestRdAtomic(1));
  }

  void start() {
    for (int i = 0; i < Streams.MESSAGES; i++) {
      source.buffer().putInt(i * MESSAGE_BYTES, i);
      receiver.postRecv(RecvWr.of(i, target.sge(i * MESSAGE_BYTES, MESSAGE_BYTES)));
    }
    for (int i = 0; i < WINDOW; i++) {
      postNext();
    }
  }

  private void postNext() {
    sender.postSend(SendWr.send(posted, source.sge(posted * MESSAGE_BYTES, MESSAGE_BYTES)));
    posted++;
  }

  void sent(WorkCompletion completion) {
    completions.add(completion);
    if (completion.isSuccess() && posted < Streams.MESSAGES) {
      postNext();
    }
  }

  void received(WorkCompletion completion, long nanos) {
    assertThat(completion.status()).isEqualTo(WcStatus.SUCCESS);
    received.add(target.buffer().getInt((int) completion.wrId() * MESSAGE_BYTES));
    arrivals.add(nanos);
  }

  QueuePair sender() {
    return sender;
  }

  QueuePair receiver() {
    return receiver;
  }

  int posted() {
    return posted;
  }

  /** Numbers of the sends that have completed, in order of completion. */
  List<Integer> completed() {
    return completions.stream().map(one -> (int) one.wrId()).toList();
  }

  List<WcStatus> statuses() {
    return completions.stream().map(WorkCompletion::status).toList();
  }

  /** Contents of the messages, in order of arrival. */
  List<Integer> received() {
    return received;
  }

  long arrivedBefore(long nanos) {
    return arrivals.stream().filter(arrival -> arrival < nanos).count();
  }
}
