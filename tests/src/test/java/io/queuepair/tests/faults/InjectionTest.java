// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.PortState;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcStatus;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Plans come and go while devices work, and say what they did not do. */
final class InjectionTest {
  private final List<String> warnings = new ArrayList<>();
  private final Emulator emulator = Emulator.builder().faultWarnings(warnings::add).build();
  private EmulatedDevice deviceB;
  private ProtectionDomain a;
  private CompletionQueue cq;
  private QueuePair qp;
  private MemoryRegion source;
  private MemoryRegion target;

  private static FaultPlan plan(String text) {
    return FaultPlan.parse(text);
  }

  private void connect() {
    a = emulator.addDevice("10.0.0.1").open().allocPd();
    deviceB = emulator.addDevice("10.0.0.2");
    ProtectionDomain b = deviceB.open().allocPd();
    cq = a.context().createCq(8);
    qp = a.createQp(QpInitAttr.rc(cq, QpCap.of(8)));
    Emulator.connect(qp, b.createQp(QpInitAttr.rc(b.context().createCq(8), QpCap.of(8))));
    source = a.regMr(ByteBuffer.allocateDirect(8));
    target = b.regMr(ByteBuffer.allocateDirect(8), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
  }

  private WcStatus write() {
    qp.postSend(SendWr.rdmaWrite(1, target.addr(), target.rkey(), source.sge()));
    return emulator.await(cq).status();
  }

  @Test
  void whatOnePlanCountsBeginsWithIt() {
    connect();
    emulator.injectFaults(plan("drop 2nd RDMA_WRITE_ONLY"));
    assertThat(write()).isEqualTo(WcStatus.SUCCESS);

    emulator.injectFaults(plan("drop 2nd RDMA_WRITE_ONLY to 10.0.0.2"));
    assertThat(write()).isEqualTo(WcStatus.SUCCESS);

    // The second write is the 2nd for the first plan; its repeat is the 2nd for the other one.
    assertThat(emulator.faultCounts().values()).containsExactly(1L, 1L);
  }

  @Test
  void afterAClearNothingGoesWrong() {
    connect();
    emulator.injectFaults(plan("drop RDMA_WRITE_ONLY"));
    assertThat(write()).isEqualTo(WcStatus.RETRY_EXC_ERR);

    emulator.clearFaults();
    connectAgain();

    assertThat(write()).isEqualTo(WcStatus.SUCCESS);
    assertThat(emulator.faultCounts()).containsExactly(entry("drop RDMA_WRITE_ONLY", 8L));
  }

  private void connectAgain() {
    ProtectionDomain b = deviceB.open().allocPd();
    qp = a.createQp(QpInitAttr.rc(cq, QpCap.of(8)));
    Emulator.connect(qp, b.createQp(QpInitAttr.rc(b.context().createCq(8), QpCap.of(8))));
    target = b.regMr(ByteBuffer.allocateDirect(8), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
  }

  @Test
  void timesCountFromTheInjection() {
    connect();
    a.context().getAsyncEvent(Duration.ofMillis(5));

    emulator.injectFaults(plan("port 10.0.0.1 down at 1ms for 2ms"));

    assertThat(a.context().getAsyncEvent(Duration.ofNanos(999_000))).isEmpty();
    assertThat(a.context().getAsyncEvent(Duration.ofMillis(1)))
        .contains(AsyncEvent.ofPort(EventType.PORT_ERR, 1));
    assertThat(emulator.faultCounts().values()).containsExactly(1L);
    assertThat(a.context().getAsyncEvent(Duration.ofMillis(2)))
        .contains(AsyncEvent.ofPort(EventType.PORT_ACTIVE, 1));
  }

  @Test
  void aClearLetsThePortComeUpAndNothingMoreHappens() {
    connect();
    emulator.injectFaults(plan("port 10.0.0.1 down at 0ns; kill 10.0.0.1 at 1ms"));
    assertThat(a.context().getAsyncEvent()).isEqualTo(AsyncEvent.ofPort(EventType.PORT_ERR, 1));

    emulator.clearFaults();

    assertThat(a.context().queryPort(1).state()).isEqualTo(PortState.ACTIVE);
    assertThat(a.context().getAsyncEvent()).isEqualTo(AsyncEvent.ofPort(EventType.PORT_ACTIVE, 1));
    assertThat(a.context().getAsyncEvent(Duration.ofMillis(5))).isEmpty();
  }

  @Test
  void whatWasNeverCarriedOutIsSaidAtTheEnd() {
    emulator.injectFaults(plan("drop 9th RDMA_WRITE_ONLY; duplicate ACK; kill 10.0.0.22 at 1us"));
    connect();
    write();

    assertThat(emulator.faultsNotTaken())
        .containsExactly("drop 9th RDMA_WRITE_ONLY", "kill 10.0.0.22 at 1us");
    emulator.close();
    assertThat(warnings)
        .containsExactly(
            "faults that were never carried out: drop 9th RDMA_WRITE_ONLY; kill 10.0.0.22 at 1us"
                + " (unknown hosts: 10.0.0.22)");
  }

  @Test
  void aHostThatNobodyHasIsNamedAtOnceIfThereAreDevices() {
    connect();

    emulator.injectFaults(plan("exhaust qps of 10.0.0.33 at 0ns; drop ACK to 10.0.0.44"));

    assertThat(warnings)
        .containsExactly("the fault plan names unknown hosts: 10.0.0.33, 10.0.0.44");
  }

  @Test
  void inStrictModeBothAreErrors() {
    Emulator strict =
        Emulator.builder().strictFaults().faults(plan("drop 9th RDMA_WRITE_ONLY")).build();
    strict.addDevice("10.0.0.1");

    assertThatThrownBy(() -> strict.injectFaults(plan("kill 10.0.0.22 at 1us")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the fault plan names unknown hosts: 10.0.0.22");
    assertThatThrownBy(strict::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("faults that were never carried out: drop 9th RDMA_WRITE_ONLY");
    strict.close();
  }
}
