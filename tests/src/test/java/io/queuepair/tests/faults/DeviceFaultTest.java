// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.observe.LadderTrace;
import io.queuepair.tests.conformance.Errnos;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.ReregMr;
import io.queuepair.verbs.ReregMrErrCode;
import io.queuepair.verbs.ReregMrException;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Ports, devices, resources and verbs that fail on purpose look as if they really did. */
final class DeviceFaultTest {
  private final List<String> ladder = new ArrayList<>();
  @AutoClose private Emulator emulator;
  private Context a;
  private Context b;

  private void start(String plan) {
    emulator =
        Emulator.on(LadderTrace.on(InMemoryFabric.virtualTime(), ladder::add))
            .injectFaults(FaultPlan.parse(plan));
    a = emulator.addDevice("10.0.0.1").open();
    b = emulator.addDevice("10.0.0.2").open();
  }

  private static MemoryRegion register(ProtectionDomain pd) {
    return pd.regMr(ByteBuffer.allocateDirect(64), AccessFlag.LOCAL_WRITE);
  }

  private static QueuePair createQp(Context context, CompletionQueue cq) {
    return context.allocPd().createQp(QpInitAttr.rc(cq, QpCap.of(16)));
  }

  private QueuePair connectedQp() {
    QueuePair qp = createQp(a, a.createCq(16));
    QueuePair peer = createQp(b, b.createCq(16));
    Emulator.connect(qp, peer);
    for (int i = 0; i < 3; i++) {
      peer.postRecv(RecvWr.of(i));
    }
    return qp;
  }

  @Test
  void aKilledDeviceTellsItsContextsAndItsQueuePairsAreInError() {
    start("kill 10.0.0.1 at 1ms");
    QueuePair qp = connectedQp();

    assertThat(a.getAsyncEvent().eventType()).isEqualTo(EventType.DEVICE_FATAL);
    assertThat(qp.query().qpState()).isEqualTo(QpState.ERR);
    assertThat(ladder)
        .containsExactly("   1000.000 us  10.0.0.1 *** the device fails: kill 10.0.0.1 at 1ms");
  }

  @Test
  void onlyTheCallThatIsMeantFailsAndDoesNothing() {
    start("fail the 3rd ibv_reg_mr of 10.0.0.1 with ENOMEM");
    ProtectionDomain pd = a.allocPd();
    register(pd);
    register(b.allocPd());
    register(pd).close();

    VerbsException refusal = catchThrowableOfType(VerbsException.class, () -> register(pd));

    assertThat(refusal.errno()).isEqualTo(Errno.ENOMEM);
    assertThat(refusal.verb()).isEqualTo("ibv_reg_mr");
    assertThat(refusal)
        .hasMessage(
            "ibv_reg_mr: ENOMEM: the fault plan says:"
                + " fail 3rd ibv_reg_mr of 10.0.0.1 with ENOMEM");
    assertThat(register(pd)).isNotNull();
    assertThat(ladder)
        .containsExactly(
            "      0.000 us  10.0.0.1 *** ibv_reg_mr fails with ENOMEM: the fault plan says:"
                + " fail 3rd ibv_reg_mr of 10.0.0.1 with ENOMEM");
  }

  @Test
  void aFailedPostNamesTheFirstRequestAndPostsNothing() {
    start("fail 1st ibv_post_send with ENOMEM; fail ibv_post_recv of 10.0.0.1 with ENOMEM");
    QueuePair qp = connectedQp();

    assertThat(
            catchThrowableOfType(BadWorkRequestException.class, () -> qp.postSend(SendWr.send(1))))
        .extracting(BadWorkRequestException::index)
        .isEqualTo(0);
    assertThatThrownBy(() -> qp.postRecv(RecvWr.of(1))).isInstanceOf(BadWorkRequestException.class);
    qp.modify(QpAttr.to(QpState.ERR));
    assertThat(qp.initAttr().sendCq().poll(16)).isEmpty();
  }

  @Test
  void aFailedReregistrationLeavesTheRegionAsItWas() {
    start("fail ibv_rereg_mr with ENOMEM");
    ProtectionDomain pd = a.allocPd();
    MemoryRegion region = register(pd);

    ReregMrException refusal =
        catchThrowableOfType(ReregMrException.class, () -> region.rereg(ReregMr.nothing()));

    assertThat(refusal.code()).isEqualTo(ReregMrErrCode.INPUT);
  }

  @Test
  void anExhaustedResourceCannotBeCreatedForAWhile() {
    start("exhaust qps of 10.0.0.1 for 1ms");
    CompletionQueue cq = a.createCq(4);

    Errnos.assertRefused(Errno.ENOMEM, () -> createQp(a, cq));
    createQp(b, b.createCq(4));
    a.getAsyncEvent(Duration.ofMillis(1));

    createQp(a, cq);
  }

  @Test
  void aCompletionQueueWithoutRoomOverruns() {
    start("exhaust cq_space of 10.0.0.1 at 1ms");
    QueuePair qp = connectedQp();
    a.getAsyncEvent(Duration.ofMillis(2));

    qp.modify(QpAttr.to(QpState.ERR));
    qp.postSend(SendWr.send(1));

    assertThat(a.getAsyncEvent().eventType()).isEqualTo(EventType.CQ_ERR);
    assertThat(qp.initAttr().sendCq().poll(16)).isEmpty();
  }
}
