// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which queue pair a window of type 2 belongs to, and what ends that. */
final class WindowOwnerTest {
  private static final QpCap CAP = QpCap.of(8);

  @AutoClose private final Pair pair = Pair.connected(LinkForm.OBJECTS);
  private final MemoryRegion memory = pair.b().register(4096, Window.BINDABLE);

  /** A window of b that was bound through its queue pair, over the memory. */
  private static Window bound(Pair pair, MemoryRegion memory) {
    return Window.bound(pair, pair.b(), MwType.TYPE_2, Window.over(memory, Window.ALL_REMOTE));
  }

  private static String write(Pair pair, MemoryRegion memory, int rkey) {
    pair.a().postSend(SendWr.rdmaWrite(1, memory.addr(), rkey, pair.a().region().sge(0, 8)));
    return Outcomes.of(pair.await(pair.a().sendCq()));
  }

  private static void reconnect(Pair pair) {
    pair.a().qp().modify(QpAttr.to(QpState.RESET));
    pair.b().qp().modify(QpAttr.to(QpState.RESET));
    pair.connect();
  }

  @Test
  void afterResetTheWindowIsNotBoundToThoseWhoHaveItsKey() {
    Window window = bound(pair, memory);
    assertThat(Errnos.of(memory::close)).isEqualTo(Errno.EBUSY);
    reconnect(pair);

    assertThat(write(pair, memory, window.rkey())).isEqualTo("1 REM_ACCESS_ERR");
    assertThat(Bytes.in(memory, 0, 8)).containsOnly(TestEndpoint.FILL);
    assertThat(Errnos.of(memory::close)).isNull();
  }

  @Test
  void destructionReleasesTheWindowsToo() {
    bound(pair, memory);

    pair.b().qp().close();

    assertThat(Errnos.of(memory::close)).isNull();
  }

  @Test
  void resetLeavesTheWindowsOfOtherQueuePairsAndThoseOfType1() {
    MemoryRegion second = pair.b().register(4096, Window.BINDABLE);
    Window of2 = bound(pair, memory);
    Window.bound(pair, pair.b(), MwType.TYPE_1, Window.over(second, Window.ALL_REMOTE));
    QueuePair other = pair.b().createQp(CAP);
    Emulator.connect(pair.a().createQp(CAP), other);

    other.modify(QpAttr.to(QpState.RESET));
    assertThat(write(pair, memory, of2.rkey())).isEqualTo("1 RDMA_WRITE");
    pair.b().qp().modify(QpAttr.to(QpState.RESET));

    assertThat(Errnos.of(second::close)).isEqualTo(Errno.EBUSY);
  }

  private static String invalidatedThroughAnother(DeviceProfile profile) {
    try (Pair pair = Pair.on(LinkForm.OBJECTS).profile(profile).connect()) {
      MemoryRegion memory = pair.b().register(4096, Window.BINDABLE);
      Window window = bound(pair, memory);
      QueuePair other = pair.b().createQp(CAP);
      Emulator.connect(pair.a().createQp(CAP), other);

      other.postSend(window.invalidation());
      String outcome = Outcomes.of(pair.await(pair.b().sendCq()));

      assertThat(write(pair, memory, window.rkey())).isEqualTo("1 RDMA_WRITE");
      return outcome;
    }
  }

  @Test
  void anotherQueuePairDoesNotInvalidateAWindow() {
    assertThat(invalidatedThroughAnother(DeviceProfile.standard()))
        .isEqualTo(Window.INVALIDATE + " MW_BIND_ERR");
    assertThat(invalidatedThroughAnother(DeviceProfile.softRoce()))
        .isEqualTo(Window.INVALIDATE + " LOC_QP_OP_ERR");
  }

  /** A window of the receiving party, bound through a connection of its own. */
  private static Window boundByOwner(XrcLoopback bed, MemoryRegion memory) {
    XrcLoopback.XrcEndpoint owner = bed.owner();
    QueuePair binder = owner.pd().createQp(QpInitAttr.rc(owner.cq(), CAP));
    QueuePair peer = owner.pd().createQp(QpInitAttr.rc(owner.cq(), CAP));
    Emulator.connect(binder, peer);
    Window window =
        Window.posted(
            binder, owner.pd().allocMw(MwType.TYPE_2), Window.over(memory, Window.ALL_REMOTE));
    assertThat(owner.await(bed.emulator())).isEqualTo(Window.BIND + " BIND_MW");
    return window;
  }

  private static SendWr writeOf(XrcLoopback bed, MemoryRegion memory, Window window) {
    return SendWr.rdmaWrite(1, memory.addr(), window.rkey(), bed.initiator().region().sge(0, 8));
  }

  private static SendWr invalidation(XrcLoopback bed, Window window) {
    return SendWr.sendWithInv(3, window.rkey(), bed.initiator().region().sge(0, 4));
  }

  @Test
  void throughAnXrcTargetAWindowIsOpenToItsDomain() {
    try (XrcLoopback bed = new XrcLoopback()) {
      MemoryRegion theirs = TestEndpoint.registerIn(bed.owner().pd(), 4096, Window.BINDABLE);
      Window window = boundByOwner(bed, theirs);
      int srqn = bed.owner().srq().srqNum();
      bed.owner().srq().postRecv(RecvWr.of(2, bed.owner().region().sge()));

      bed.initiatorQp().postSend(writeOf(bed, theirs, window).toSrq(srqn));
      assertThat(bed.initiator().await(bed.emulator())).isEqualTo("1 RDMA_WRITE");
      bed.initiatorQp().postSend(invalidation(bed, window).toSrq(srqn));
      assertThat(bed.initiator().await(bed.emulator())).isEqualTo("3 SEND");
      assertThat(bed.owner().await(bed.emulator())).startsWith("2 RECV 4");

      bed.initiatorQp().postSend(writeOf(bed, theirs, window).toSrq(srqn));
      assertThat(bed.initiator().await(bed.emulator())).isEqualTo("1 REM_ACCESS_ERR");
    }
  }

  /** A write and a SEND that names it, each through a queue of another domain. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void throughAnXrcTargetAWindowIsClosedToOtherDomains(boolean isInvalidation) {
    try (XrcLoopback bed = new XrcLoopback()) {
      MemoryRegion theirs = TestEndpoint.registerIn(bed.owner().pd(), 4096, Window.BINDABLE);
      Window window = boundByOwner(bed, theirs);
      bed.guest().srq().postRecv(RecvWr.of(2, bed.guest().region().sge()));
      SendWr request = isInvalidation ? invalidation(bed, window) : writeOf(bed, theirs, window);

      bed.initiatorQp().postSend(request.toSrq(bed.guest().srq().srqNum()));

      assertThat(bed.initiator().await(bed.emulator())).endsWith(" REM_ACCESS_ERR");
      assertThat(Errnos.of(theirs::close)).isEqualTo(Errno.EBUSY);
    }
  }
}
