// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.conformance.Outcomes;
import io.queuepair.tests.conformance.Window;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWithInvWr;
import io.queuepair.verbs.SendWr;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/** Windows of type 2: binding again, and invalidation by their owner and by the peer. */
final class InvalidationCases {
  private static final Set<SendFlag> SIGNALED = EnumSet.of(SendFlag.SIGNALED);

  private InvalidationCases() {}

  static Stream<SuiteCase> rows() {
    return Stream.of(binds(), localInvalidations(), refusedInvalidations()).flatMap(List::stream);
  }

  private static Window remoteWindow(ConnectedPair bed, MwType type) {
    return Window.bound(bed.pair(), bed.b(), type, Window.over(bed.remote(), Window.ALL_REMOTE));
  }

  private static Window localWindow(ConnectedPair bed) {
    return Window.bound(
        bed.pair(), bed.a(), MwType.TYPE_2, Window.over(bed.local(), Window.ALL_REMOTE));
  }

  private static SendWr read(ConnectedPair bed, long wrId, long addr, int rkey) {
    return SendWr.rdmaRead(wrId, addr, rkey, bed.local().sge());
  }

  private static List<SuiteCase> binds() {
    return List.of(
        SuiteCase.of("GUT-mw_test-MwType2Test.Bind")
            .when(
                bed ->
                    bed.post(
                        Window.request(
                            bed.a().pd().allocMw(MwType.TYPE_2),
                            1024,
                            Window.over(bed.local(), Window.ALL_REMOTE))))
            .sends(Window.BIND + " BIND_MW"),
        SuiteCase.of("GUT-mw_test-MwType2Test.UnsignaledBind")
            .when(
                bed -> {
                  MemoryWindow one = bed.a().pd().allocMw(MwType.TYPE_2);
                  MemoryWindow two = bed.a().pd().allocMw(MwType.TYPE_2);
                  bed.post(
                      Window.request(one, 1, Window.over(bed.local(), Window.ALL_REMOTE))
                          .withFlags(),
                      Window.request(two, 1, Window.over(bed.local(), Window.ALL_REMOTE)));
                })
            .sends(Window.BIND + " BIND_MW"),
        SuiteCase.of("GUT-mw_test-MwType2Test.RebindToDifferentRKey")
            .when(
                bed -> {
                  Window window = localWindow(bed);
                  bed.post(
                      Window.request(
                          window.mw(),
                          window.rkey() + 1,
                          Window.over(bed.local(), Window.ALL_REMOTE)));
                })
            .sends(Window.BIND + " MW_BIND_ERR")
            .then(bed -> bed.assertStates(QpState.ERR, QpState.RTS)),
        SuiteCase.of("GUT-mw_test-MwGeneralTest.ReadZeroBased")
            .when(
                bed -> {
                  Set<AccessFlag> rights = EnumSet.of(AccessFlag.ZERO_BASED);
                  rights.addAll(Window.ALL_REMOTE);
                  Window window =
                      Window.bound(
                          bed.pair(), bed.b(), MwType.TYPE_2, Window.over(bed.remote(), rights));
                  bed.post(read(bed, 1, 0, window.rkey()));
                })
            .sends("1 RDMA_READ 4096")
            .then(bed -> bed.assertLocalFullOf('b')));
  }

  private static List<SuiteCase> localInvalidations() {
    return List.of(
        SuiteCase.of("GUT-mw_test-MwType2Test.LocalInvalidate")
            .when(
                bed -> {
                  Window window = remoteWindow(bed, MwType.TYPE_2);
                  bed.b().qp().postSend(window.invalidation());
                  assertThat(Outcomes.of(bed.pair().await(bed.b().sendCq())))
                      .isEqualTo(Window.INVALIDATE + " LOCAL_INV");
                  bed.post(read(bed, 1, bed.remote().addr(), window.rkey()));
                })
            .sends("1 REM_ACCESS_ERR")
            .then(bed -> bed.assertLocalFullOf('a')),
        SuiteCase.of("GUT-mw_test-MwType2Test.UnsignaledLocalInvalidateError")
            .when(
                bed -> {
                  Window window = remoteWindow(bed, MwType.TYPE_2);
                  Window wrong = new Window(window.mw(), window.rkey() + 1);
                  bed.post(wrong.invalidation().withFlags());
                })
            .sends(Window.INVALIDATE + " MW_BIND_ERR"));
  }

  /** A SEND that asks the other side to invalidate a key, which it refuses. */
  private static SuiteCase refused(String id, ToIntFunction<ConnectedPair> rkey) {
    return SuiteCase.of(id)
        .when(
            bed -> {
              int wrong = rkey.applyAsInt(bed);
              bed.receive(0, bed.remote().sge());
              bed.post(new SendWithInvWr(1, List.of(bed.local().sge()), SIGNALED, wrong));
            })
        .sends("1 REM_ACCESS_ERR")
        .receives("0 LOC_ACCESS_ERR")
        .then(bed -> bed.assertStates(QpState.ERR, QpState.ERR));
  }

  private static List<SuiteCase> refusedInvalidations() {
    return List.of(
        refused(
            "GUT-rc_test-LoopbackRcQpTest.SendWithInvalidateBadRkey",
            bed -> (remoteWindow(bed, MwType.TYPE_2).rkey() + 10) * 5),
        refused(
            "GUT-rc_test-LoopbackRcQpTest.SendWithInvalidateType1Rkey",
            bed -> remoteWindow(bed, MwType.TYPE_1).rkey()),
        refused(
            "GUT-rc_test-LoopbackRcQpTest.SendWithInvalidateWrongQp",
            bed -> localWindow(bed).rkey()));
  }
}
