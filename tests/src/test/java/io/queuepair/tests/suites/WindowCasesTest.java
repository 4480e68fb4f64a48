// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.tests.conformance.Outcomes;
import io.queuepair.tests.conformance.Pair;
import io.queuepair.tests.conformance.TestEndpoint;
import io.queuepair.tests.conformance.Window;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MrInitAttr;
import io.queuepair.verbs.MwBind;
import io.queuepair.verbs.MwBindInfo;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWithInvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.WcFlag;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The cases of memory windows that are more than one row of a table. */
@ParameterizedClass
@EnumSource(LinkForm.class)
final class WindowCasesTest {
  private static final Set<SendFlag> SIGNALED = EnumSet.of(SendFlag.SIGNALED);

  /** As the suite gives them: the right of the owner means nothing in a window. */
  private static final Set<AccessFlag> WRITABLE =
      EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);

  @Parameter private LinkForm form;

  private ConnectedPair connected() {
    return new ConnectedPair(ConnectedPair.reliable(Pair.on(form)).connect(), ConnectedPair.PAGE);
  }

  private static MemoryRegion memory(ConnectedPair bed, TestEndpoint side) {
    return side == bed.a() ? bed.local() : bed.remote();
  }

  private static List<TestEndpoint> sides(ConnectedPair bed) {
    return List.of(bed.a(), bed.b());
  }

  private static TestEndpoint peer(ConnectedPair bed, TestEndpoint side) {
    return side == bed.a() ? bed.b() : bed.a();
  }

  private static List<Window> boundOnBothSides(ConnectedPair bed, MwType type) {
    List<Window> windows = new ArrayList<>();
    for (TestEndpoint side : sides(bed)) {
      MwBindInfo binding = Window.over(memory(bed, side), WRITABLE);
      windows.add(Window.bound(bed.pair(), side, type, binding));
    }
    return windows;
  }

  /** What a write of each side to the window of the other one completes with. */
  private static List<String> writes(ConnectedPair bed, List<Window> windows) {
    List<String> outcomes = new ArrayList<>();
    for (TestEndpoint side : sides(bed)) {
      TestEndpoint peer = peer(bed, side);
      int rkey = windows.get(side == bed.a() ? 1 : 0).rkey();
      Sge source = memory(bed, side).sge();
      side.qp().postSend(SendWr.rdmaWrite(1, memory(bed, peer).addr(), rkey, source));
      outcomes.add(Outcomes.of(bed.pair().await(side.sendCq())));
    }
    return outcomes;
  }

  @Test
  @Tag("PYV-mr-MWTest.mw_type1")
  @Tag("test_mr.MWTest.test_mw_type1")
  void bothSidesWriteThroughWindowsOfType1() {
    try (ConnectedPair bed = connected()) {
      assertThat(writes(bed, boundOnBothSides(bed, MwType.TYPE_1)))
          .containsExactly("1 RDMA_WRITE", "1 RDMA_WRITE");
      bed.assertRemoteFullOf('a');
    }
  }

  @Test
  @Tag("test_mr.MWTest.test_mw_ex_type1")
  void soTheyDoOverMemoryRegisteredByAttributes() {
    AccessFlag[] rights = ConnectedPair.ALL_RIGHTS.toArray(AccessFlag[]::new);
    try (ConnectedPair bed = connected()) {
      for (TestEndpoint side : sides(bed)) {
        TestEndpoint peer = peer(bed, side);
        ByteBuffer buffer = ByteBuffer.allocateDirect(ConnectedPair.PAGE);
        MemoryRegion region = peer.pd().regMrEx(MrInitAttr.of(rights).withAddr(buffer));
        MwBindInfo binding = Window.over(region, WRITABLE);
        Window window = Window.bound(bed.pair(), peer, MwType.TYPE_1, binding);

        Sge data = memory(bed, side).sge();
        side.qp().postSend(SendWr.rdmaWrite(1, region.addr(), window.rkey(), data));

        assertThat(Outcomes.of(bed.pair().await(side.sendCq()))).isEqualTo("1 RDMA_WRITE");
        ConnectedPair.assertFullOf(region, side == bed.a() ? 'a' : 'b');
      }
    }
  }

  @Test
  @Tag("test_mr.MWTest.test_invalidate_mw_type1")
  void aBindOfNothingClosesAWindowOfType1() {
    try (ConnectedPair bed = connected()) {
      List<Window> windows = boundOnBothSides(bed, MwType.TYPE_1);
      Window closed =
          Window.posted(bed.b().qp(), windows.get(1).mw(), new MwBindInfo(null, 0, 0, Set.of()));
      assertThat(Outcomes.of(bed.pair().await(bed.b().sendCq())))
          .isEqualTo(Window.BIND + " BIND_MW");

      assertThat(closed.rkey()).isNotEqualTo(windows.get(1).rkey());
      bed.post(SendWr.rdmaWrite(1, bed.remote().addr(), closed.rkey(), bed.local().sge()));
      bed.expect(List.of("1 REM_ACCESS_ERR"), List.of());
      bed.assertRemoteFullOf('b');
    }
  }

  @Test
  @Tag("PYV-mr-MWTest.mw_type2")
  @Tag("test_mr.MWTest.test_mw_type2")
  void bothSidesWriteThroughWindowsOfType2() {
    try (ConnectedPair bed = connected()) {
      assertThat(writes(bed, boundOnBothSides(bed, MwType.TYPE_2)))
          .containsExactly("1 RDMA_WRITE", "1 RDMA_WRITE");
      bed.assertRemoteFullOf('a');
    }
  }

  @Test
  @Tag("PYV-mr-MWTest.mw_type2_invalidate_local")
  @Tag("test_mr.MWTest.test_mw_type2_invalidate_local")
  void afterALocalInvalidationNobodyWritesThroughTheWindow() {
    try (ConnectedPair bed = connected()) {
      List<Window> windows = boundOnBothSides(bed, MwType.TYPE_2);
      for (TestEndpoint side : sides(bed)) {
        side.qp().postSend(windows.get(side == bed.a() ? 0 : 1).invalidation());
        assertThat(Outcomes.of(bed.pair().await(side.sendCq())))
            .isEqualTo(Window.INVALIDATE + " LOCAL_INV");
      }

      assertThat(writes(bed, windows).get(0)).isEqualTo("1 REM_ACCESS_ERR");
      bed.assertRemoteFullOf('b');
    }
  }

  @Test
  @Tag("PYV-mr-MWTest.mw_type2_invalidate_remote")
  @Tag("test_mr.MWTest.test_mw_type2_invalidate_remote")
  void afterAnInvalidationByThePeerNobodyWritesThroughTheWindow() {
    try (ConnectedPair bed = connected()) {
      List<Window> windows = boundOnBothSides(bed, MwType.TYPE_2);
      for (TestEndpoint side : sides(bed)) {
        TestEndpoint peer = peer(bed, side);
        int rkey = windows.get(side == bed.a() ? 1 : 0).rkey();
        peer.qp().postRecv(RecvWr.of(5));
        side.qp().postSend(new SendWithInvWr(2, List.of(), SIGNALED, rkey));
        assertThat(Outcomes.of(bed.pair().await(side.sendCq()))).isEqualTo("2 SEND");
        assertThat(bed.pair().await(peer.recvCq()).isSuccess()).isTrue();
      }

      assertThat(writes(bed, windows).get(0)).isEqualTo("1 REM_ACCESS_ERR");
      bed.assertRemoteFullOf('b');
    }
  }

  @Test
  @Tag("test_mr.MWTest.test_mw_type2_invalidate_dealloc")
  void afterItsDeallocationNobodyWritesThroughTheWindow() {
    try (ConnectedPair bed = connected()) {
      List<Window> windows = boundOnBothSides(bed, MwType.TYPE_2);
      windows.forEach(window -> window.mw().close());

      assertThat(writes(bed, windows).get(0)).isEqualTo("1 REM_ACCESS_ERR");
      bed.assertRemoteFullOf('b');
    }
  }

  private static void sendInvalidating(ConnectedPair bed, Window window, Sge... sges) {
    bed.post(
        new SendWithInvWr(1, List.of(sges), SIGNALED, window.rkey()),
        SendWr.rdmaRead(2, bed.remote().addr(), window.rkey(), bed.local().sge()));
  }

  private static void assertInvalidated(ConnectedPair bed, Window window, int bytes) {
    WorkCompletion received = bed.pair().await(bed.b().recvCq());
    assertThat(received.isSuccess()).as(received.explain()).isTrue();
    assertThat(received.wcFlags()).containsExactly(WcFlag.WITH_INV);
    assertThat(received.invalidatedRkey()).isEqualTo(window.rkey());
    assertThat(received.byteLen()).isEqualTo(bytes);
    bed.expect(List.of("1 SEND", "2 REM_ACCESS_ERR"), List.of());
    bed.assertStates(QpState.ERR, QpState.ERR);
  }

  private static Window window(ConnectedPair bed) {
    return Window.bound(
        bed.pair(), bed.b(), MwType.TYPE_2, Window.over(bed.remote(), Window.ALL_REMOTE));
  }

  @Test
  @Tag("GUT-rc_test-LoopbackRcQpTest.SendWithInvalidate")
  void aSendDeliversItsDataAndInvalidates() {
    try (ConnectedPair bed = connected()) {
      Window window = window(bed);
      bed.receive(0, bed.remote().sge());

      sendInvalidating(bed, window, bed.local().sge());

      assertInvalidated(bed, window, ConnectedPair.PAGE);
      bed.assertRemoteFullOf('a');
    }
  }

  @Test
  @Tag("GUT-rc_test-LoopbackRcQpTest.SendWithInvalidateEmptySgl")
  void aSendWithoutDataInvalidatesToo() {
    try (ConnectedPair bed = connected()) {
      Window window = window(bed);
      bed.receive(0);

      sendInvalidating(bed, window);

      assertInvalidated(bed, window, 0);
      bed.assertRemoteFullOf('b');
    }
  }

  @Test
  @Tag("GUT-mw_test-MwType2Test.UnsignaledLocalInvalidate")
  void anUnsignaledInvalidationIsSilent() {
    try (ConnectedPair bed = connected()) {
      Window window = window(bed);
      bed.b().qp().postSend(window.invalidation().withFlags());
      bed.pair().drain();

      bed.post(SendWr.rdmaRead(1, bed.remote().addr(), window.rkey(), bed.local().sge()));

      bed.expect(List.of("1 REM_ACCESS_ERR"), List.of());
      assertThat(bed.b().sends()).isEmpty();
    }
  }

  @Test
  @Tag("GUT-mw_test-MwType1Test.BindType1WhenQpError")
  void aBindInErrorIsFlushed() {
    try (ConnectedPair bed = connected()) {
      bed.b().qp().modify(QpAttr.to(QpState.ERR));

      bed.b()
          .qp()
          .bindMw(
              bed.b().pd().allocMw(MwType.TYPE_1),
              new MwBind(1, SIGNALED, Window.over(bed.remote(), Window.ALL_REMOTE)));

      assertThat(bed.b().sends()).containsExactly("1 WR_FLUSH_ERR");
    }
  }
}
