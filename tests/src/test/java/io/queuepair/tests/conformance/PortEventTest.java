// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.PortState;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Ports that go down and come up, and devices that fail. */
final class PortEventTest {
  private final Emulator emulator = Emulator.inMemory();
  private final EmulatedDevice device = emulator.addDevice("10.0.0.1");
  private final Context context = device.open();
  private final Context peer = emulator.addDevice("10.0.0.2").open();
  private final CompletionQueue cq = context.createCq(16);
  private final CompletionQueue peerCq = peer.createCq(16);
  private final QueuePair qp = context.allocPd().createQp(QpInitAttr.rc(cq, QpCap.of(8)));
  private final QueuePair peerQp = peer.allocPd().createQp(QpInitAttr.rc(peerCq, QpCap.of(8)));

  @AfterEach
  void close() {
    emulator.close();
  }

  @Test
  void everyContextHearsOfAPortOnceForEachChange() {
    Context other = device.open();

    device.setPortUp(1, false);
    device.setPortUp(1, false);
    device.setPortUp(1, true);

    for (Context each : new Context[] {context, other}) {
      assertThat(each.getAsyncEvent()).isEqualTo(AsyncEvent.ofPort(EventType.PORT_ERR, 1));
      assertThat(each.getAsyncEvent()).isEqualTo(AsyncEvent.ofPort(EventType.PORT_ACTIVE, 1));
      assertThat(each.getAsyncEvent(Duration.ZERO)).isEmpty();
    }
    assertThat(peer.getAsyncEvent(Duration.ZERO)).isEmpty();
  }

  @Test
  void queryTellsTheStateOfThePort() {
    device.setPortUp(1, false);
    assertThat(context.queryPort(1).state()).isEqualTo(PortState.DOWN);

    device.setPortUp(1, true);
    assertThat(context.queryPort(1).state()).isEqualTo(PortState.ACTIVE);
  }

  @Test
  void aPortWithoutAddressStaysDown() {
    device.setPortUp(2, true);

    assertThat(context.queryPort(2).state()).isEqualTo(PortState.DOWN);
    assertThat(context.getAsyncEvent(Duration.ZERO)).isEmpty();
  }

  @Test
  void refusesAPortThatDoesNotExist() {
    assertThatThrownBy(() -> device.setPortUp(3, false))
        .isInstanceOf(VerbsException.class)
        .hasMessageContaining("port 3 is not 1 to 2");
  }

  @Test
  void aShortOutageOnlyDelays() {
    Emulator.connect(qp, peerQp);
    peerQp.postRecv(RecvWr.of(2));
    device.setPortUp(1, false);
    qp.postSend(SendWr.send(1));
    assertThat(cq.poll(1)).isEmpty();

    device.setPortUp(1, true);

    assertThat(emulator.await(cq).status()).isEqualTo(WcStatus.SUCCESS);
    assertThat(emulator.await(peerCq).wrId()).isEqualTo(2);
  }

  @Test
  void aLongOutageExhaustsTheRetries() {
    Emulator.connect(qp, peerQp);
    device.setPortUp(1, false);

    qp.postSend(SendWr.send(1));

    assertThat(emulator.await(cq).status()).isEqualTo(WcStatus.RETRY_EXC_ERR);
    assertThat(device.dropCounts().get("PORT_DOWN")).isPositive();
  }

  @Test
  void aDeviceThatFailsFlushesItsQueuePairs() {
    Emulator.connect(qp, peerQp);
    qp.postRecv(RecvWr.of(3));

    device.fail();

    assertThat(context.getAsyncEvent()).isEqualTo(AsyncEvent.ofDevice(EventType.DEVICE_FATAL));
    WorkCompletion flushed = emulator.await(cq);
    assertThat(flushed.status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
    assertThat(flushed.explain()).isEqualTo("flushed, because the device failed");
    assertThat(qp.query().qpState()).isEqualTo(QpState.ERR);
    assertThat(peerQp.query().qpState()).isEqualTo(QpState.RTS);
  }

  /** Also one that has no peer yet. */
  @Test
  void aDeviceThatFailsFlushesAQueuePairInInit() {
    qp.modify(QpAttr.to(QpState.INIT).portNum(1).pkeyIndex(0).qpAccessFlags(Set.of()));
    qp.postRecv(RecvWr.of(3));

    device.fail();

    assertThat(emulator.await(cq).status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
    assertThat(qp.query().qpState()).isEqualTo(QpState.ERR);
  }
}
