// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.observe.PacketTrace;
import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.CqInitAttrEx;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.ExtendedCompletionQueue;
import io.queuepair.verbs.ExtendedQueuePair;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.PollBatch;
import io.queuepair.verbs.PollCqAttr;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A device that is closed is gone: what was there can be taken, and nothing else can be done. */
@Timeout(60)
final class AfterCloseTest {
  @AutoClose private final Emulator emulator = Emulator.on(InMemoryFabric.realTime());
  private final Context context = emulator.addDevice("10.0.0.1").open();
  private final ProtectionDomain pd = context.allocPd();
  private final CompletionChannel channel = context.createCompChannel();
  private final CompletionQueue cq = context.createCq(8, channel);
  private final ExtendedQueuePair qp = create(cq);
  private final MemoryRegion memory = pd.regMr(ByteBuffer.allocateDirect(8));

  private ExtendedQueuePair create(CompletionQueue of) {
    QpInitAttr attr = QpInitAttr.rc(of, QpCap.of(4));
    return pd.createQpEx(QpInitAttrEx.of(attr).withSendOps(SendOpsFlag.WITH_SEND));
  }

  private static void assertGone(ThrowingCallable verb) {
    assertThat(catchThrowableOfType(VerbsException.class, verb).errno()).isEqualTo(Errno.ENODEV);
  }

  @Test
  void everyVerbSaysThatTheDeviceIsGone() {
    emulator.close();

    assertGone(() -> qp.postSend(SendWr.send(1, memory.sge())));
    assertGone(() -> qp.postRecv(RecvWr.of(1)));
    assertGone(qp::query);
    assertGone(() -> qp.modify(QpAttr.to(QpState.INIT)));
    assertGone(qp::wrStart);
    assertGone(() -> cq.poll(1));
    assertGone(() -> cq.reqNotify(false));
    assertGone(channel::getCqEvent);
    assertGone(context::getAsyncEvent);
    assertGone(() -> context.getAsyncEvent(Duration.ZERO));
    assertGone(context::queryDevice);
    assertGone(context::allocPd);
    assertGone(() -> context.hwCounters(1));
    assertGone(() -> pd.regMr(ByteBuffer.allocateDirect(8)));
    assertGone(() -> emulator.await(cq));
  }

  @Test
  void aPostNamesItsRequest() {
    emulator.close();

    BadWorkRequestException refusal =
        catchThrowableOfType(
            BadWorkRequestException.class, () -> qp.postSend(SendWr.send(1, memory.sge())));

    assertThat(refusal).hasMessageContaining("the device is gone");
    assertThat(refusal.index()).isZero();
  }

  @Test
  void whatHadCompletedCanBePolled() {
    qp.modify(QpAttr.to(QpState.ERR));
    qp.postRecv(List.of(RecvWr.of(1), RecvWr.of(2)));

    emulator.close();

    assertThat(cq.poll(new WorkCompletion[0])).isZero();
    assertThat(cq.poll(4)).extracting(WorkCompletion::wrId).containsExactly(1L, 2L);
    assertGone(() -> cq.poll(4));
  }

  @Test
  void whatHadCompletedCanBePolledInABatch() {
    ExtendedCompletionQueue extended = context.createCqEx(CqInitAttrEx.of(4));
    ExtendedQueuePair other = create(extended);
    other.modify(QpAttr.to(QpState.ERR));
    other.postRecv(RecvWr.of(3));

    emulator.close();

    try (PollBatch batch = extended.startPoll(PollCqAttr.NONE)) {
      assertThat(batch.nextPoll()).isTrue();
      assertThat(batch.wrId()).isEqualTo(3);
      assertThat(batch.nextPoll()).isFalse();
    }
    assertGone(() -> extended.startPoll(PollCqAttr.NONE));
    assertGone(() -> extended.poll(1));
  }

  @Test
  void whatHadBeenRaisedCanBeTaken() {
    EmulatedDevice.of(context.device()).fail();

    emulator.close();

    assertThat(context.getAsyncEvent().eventType()).isEqualTo(EventType.DEVICE_FATAL);
    assertGone(context::getAsyncEvent);
  }

  /** The sender did not ask, so that the acknowledgement may wait; the receive has completed. */
  @Test
  void whatHadArrivedIsAcknowledged() {
    PacketTrace trace = PacketTrace.of(InMemoryFabric.virtualTime());
    try (Emulator network = Emulator.on(trace.fabric())) {
      ProtectionDomain a = network.addDevice("10.0.0.2").open().allocPd();
      ProtectionDomain b = network.addDevice("10.0.0.3").open().allocPd();
      CompletionQueue received = b.context().createCq(1);
      QueuePair sender = a.createQp(QpInitAttr.rc(a.context().createCq(1), QpCap.of(8)));
      QueuePair receiver = b.createQp(QpInitAttr.rc(received, QpCap.of(1)));
      Emulator.connect(sender, receiver);
      receiver.postRecv(RecvWr.of(1));
      sender.postSend(SendWr.send(2).withFlags());
      network.await(received);
    }

    assertThat(trace.packetsFrom(1)).singleElement().matches(ack -> ack.hex().startsWith("11"));
  }

  @Test
  void aThreadThatPollsEnds() throws Exception {
    FutureTask<Errno> poller =
        new FutureTask<>(
            () -> {
              try {
                while (cq.poll(1).isEmpty()) {
                  Thread.onSpinWait();
                }
                return null;
              } catch (VerbsException gone) {
                return gone.errno();
              }
            });
    new Thread(poller).start();

    emulator.close();

    assertThat(poller.get()).isEqualTo(Errno.ENODEV);
  }

  @Test
  void objectsCanBeDestroyed() {
    emulator.close();

    assertThatCode(
            () -> {
              memory.close();
              qp.close();
              cq.close();
              channel.close();
              pd.close();
              context.close();
            })
        .doesNotThrowAnyException();
  }
}
