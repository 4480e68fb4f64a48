// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import io.queuepair.tests.conformance.TestEndpoint;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import java.util.List;
import java.util.stream.Stream;

/** Memory of another protection domain than that of the queue pair. */
final class PdCases {
  private static final int WORD = 8;

  private PdCases() {}

  static Stream<SuiteCase> rows() {
    return Stream.of(messages(), locals(), remotes()).flatMap(List::stream);
  }

  private static SuiteCase row(String name) {
    return SuiteCase.of("GUT-pd_test-PdRcLoopbackMrTest." + name);
  }

  /** As much memory of another domain of that side. */
  private static MemoryRegion foreign(TestEndpoint side) {
    MemoryRegion region =
        TestEndpoint.registerIn(
            side.context().allocPd(), ConnectedPair.PAGE, ConnectedPair.ALL_RIGHTS);
    for (int i = 0; i < ConnectedPair.PAGE; i++) {
      region.buffer().put(i, (byte) 'c');
    }
    return region;
  }

  private static Sge foreignSge(ConnectedPair bed) {
    return foreign(bed.a()).sge();
  }

  private static SendWr.RemoteTarget targetOf(MemoryRegion region) {
    return new SendWr.RemoteTarget(region.addr(), region.rkey());
  }

  private static List<SuiteCase> messages() {
    return List.of(
        row("SendMrOtherPdLocal")
            .when(
                bed -> {
                  bed.receive(0, bed.remote().sge());
                  bed.post(SendWr.send(1, foreignSge(bed)));
                })
            .sends("1 LOC_PROT_ERR")
            .then(bed -> bed.assertRemoteFullOf('b')),
        row("SendMrOtherPdRemote")
            .when(
                bed -> {
                  bed.receive(0, foreign(bed.b()).sge());
                  bed.post(SendWr.send(1, bed.local().sge()));
                })
            .sends("1 REM_OP_ERR")
            .receives("0 LOC_PROT_ERR"));
  }

  private static List<SuiteCase> locals() {
    return List.of(
        row("BasicReadMrOtherPdLocal")
            .when(
                bed ->
                    bed.post(
                        SendWr.rdmaRead(
                            1, bed.remote().addr(), bed.remote().rkey(), foreignSge(bed))))
            .sends("1 LOC_PROT_ERR"),
        row("BasicWriteMrOtherPdLocal")
            .when(
                bed ->
                    bed.post(
                        SendWr.rdmaWrite(
                            1, bed.remote().addr(), bed.remote().rkey(), foreignSge(bed))))
            .sends("1 LOC_PROT_ERR")
            .then(bed -> bed.assertRemoteFullOf('b')),
        row("BasicFetchAddMrOtherPdLocal")
            .when(
                bed ->
                    bed.post(
                        SendWr.fetchAndAdd(
                            1, targetOf(bed.remote()), 1, foreign(bed.a()).sge(0, WORD))))
            .sends("1 LOC_PROT_ERR"));
  }

  private static List<SuiteCase> remotes() {
    return List.of(
        row("BasicWriteMrOtherPdRemote")
            .when(
                bed -> {
                  MemoryRegion foreign = foreign(bed.b());
                  bed.post(SendWr.rdmaWrite(1, foreign.addr(), foreign.rkey(), bed.local().sge()));
                })
            .sends("1 REM_ACCESS_ERR"),
        row("BasicCompSwapMrOtherPdRemote")
            .when(
                bed ->
                    bed.post(
                        SendWr.compareAndSwap(
                            1, targetOf(foreign(bed.b())), 1, 1, bed.local().sge(0, WORD))))
            .sends("1 REM_ACCESS_ERR"));
  }
}
