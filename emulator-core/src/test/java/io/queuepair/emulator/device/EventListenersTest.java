// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Notifications and asynchronous events reach listeners, once each. */
final class EventListenersTest {
  private final Emulator emulator = Emulator.inMemory();
  private final EmulatedDevice device = emulator.addDevice("10.0.0.1");
  private final Context context = device.open();
  private final CompletionChannel channel = context.createCompChannel();
  private final CompletionQueue cq = context.createCq(8, channel);
  private final List<CompletionQueue> notified = new ArrayList<>();

  @Test
  void tellsOfACompletionThatWasAskedFor() {
    channel.onCqEvent(notified::add);
    writeOnce();
    assertThat(notified).as("not asked for").isEmpty();

    cq.reqNotify(false);
    writeOnce();

    assertThat(notified).containsExactly(cq);
    cq.close(); // Nothing is left to acknowledge.
    channel.close();
  }

  @Test
  void tellsWhatHappenedBeforeItListened() {
    cq.reqNotify(false);
    writeOnce();

    channel.onCqEvent(notified::add);

    assertThat(notified).containsExactly(cq);
  }

  @Test
  void goesOnAfterAListenerHasThrown() {
    channel.onCqEvent(
        queue -> {
          notified.add(queue);
          throw new IllegalStateException("on purpose");
        });

    for (int i = 0; i < 2; i++) {
      cq.reqNotify(false);
      writeOnce();
    }

    assertThat(notified).containsExactly(cq, cq);
  }

  @Test
  void tellsOfAsynchronousEvents() {
    List<AsyncEvent> events = new ArrayList<>();
    context.onAsyncEvent(events::add);

    device.setPortUp(1, false);

    assertThat(events).extracting(AsyncEvent::eventType).containsExactly(EventType.PORT_ERR);
  }

  @Test
  void tellsNothingOnceTheContextIsClosed() {
    List<AsyncEvent> events = new ArrayList<>();
    Context closed = device.open();
    closed.onAsyncEvent(events::add);

    closed.close();
    device.setPortUp(1, false);

    assertThat(events).isEmpty();
  }

  private void writeOnce() {
    ProtectionDomain pd = context.allocPd();
    MemoryRegion memory =
        pd.regMr(ByteBuffer.allocateDirect(64), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
    CompletionQueue ofPeer = context.createCq(8);
    try (QueuePair qp = pd.createQp(QpInitAttr.rc(cq, QpCap.of(4)));
        QueuePair peer = pd.createQp(QpInitAttr.rc(ofPeer, QpCap.of(4)))) {
      Emulator.connect(qp, peer);
      qp.postSend(SendWr.rdmaWrite(1, memory.addr(), memory.rkey(), memory.sge()));
      WorkCompletion[] taken = new WorkCompletion[1];
      while (cq.poll(taken) == 0) {
        assertThat(taken[0]).isNull();
      }
      assertThat(taken[0].isSuccess()).as(taken[0].explain()).isTrue();
    }
  }
}
