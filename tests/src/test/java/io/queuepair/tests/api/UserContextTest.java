// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.UserContextHolder;
import io.queuepair.verbs.WorkQueue;
import io.queuepair.verbs.WqInitAttr;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Context that a program attaches to an object, as {@code cq_context} of C. */
@Timeout(60)
final class UserContextTest {
  @AutoClose private final Emulator emulator = Emulator.inMemory();
  private final Context context = emulator.addDevice("10.0.0.1").open();
  private final ProtectionDomain pd = context.allocPd();
  private final CompletionChannel channel = context.createCompChannel();
  private final CompletionQueue cq = context.createCq(8, channel);

  @Test
  void everyObjectOfAnEventKeepsWhatIsAttached() {
    QueuePair qp = pd.createQp(QpInitAttr.rc(cq, QpCap.of(1)));
    SharedReceiveQueue srq = pd.createSrq(SrqAttr.of(4, 1));
    WorkQueue wq = context.createWq(WqInitAttr.of(pd, cq, 4, 1));

    for (UserContextHolder holder : List.of(qp, cq, srq, wq)) {
      assertThat(holder.userContext()).as(holder.toString()).isNull();
      holder.setUserContext("first");
      holder.setUserContext("second");
      assertThat(holder.userContext()).as(holder.toString()).isEqualTo("second");
    }
    qp.close();
    assertThat(qp.userContext()).isEqualTo("second");
    qp.setUserContext(null);
    assertThat(qp.userContext()).isNull();
  }

  @Test
  void theQueueOfANotificationHasIt() {
    QueuePair qp = pd.createQp(QpInitAttr.rc(cq, QpCap.of(1)));
    cq.setUserContext("queue");
    cq.reqNotify(false);
    Emulator.connect(qp, pd.createQp(QpInitAttr.rc(context.createCq(1), QpCap.of(1))));
    qp.postRecv(new RecvWr(1, List.of()));
    qp.modify(new QpAttr().qpState(QpState.ERR));

    CompletionQueue announced = channel.getCqEvent();
    assertThat(announced.userContext()).isEqualTo("queue");
    announced.ackEvents(1);
  }

  @Test
  void theElementOfAnAsynchronousEventHasIt() {
    SharedReceiveQueue srq = pd.createSrq(SrqAttr.of(4, 1));
    srq.setUserContext("shared");
    QpInitAttr attr = QpInitAttr.rc(cq, QpCap.of(1));
    QueuePair qp = pd.createQp(new QpInitAttr(attr.qpType(), cq, cq, srq, attr.cap(), true));
    Emulator.connect(qp, pd.createQp(attr));
    qp.modify(new QpAttr().qpState(QpState.ERR));

    AsyncEvent event = context.getAsyncEvent();
    assertThat(event).isInstanceOf(AsyncEvent.QpEvent.class);
    AsyncEvent.QpEvent lastWqe = (AsyncEvent.QpEvent) event;
    assertThat(lastWqe.qp().initAttr().srq().userContext()).isEqualTo("shared");
    context.ackAsyncEvent(event);
  }
}
