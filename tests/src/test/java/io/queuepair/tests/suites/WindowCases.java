// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.conformance.TestEndpoint;
import io.queuepair.tests.conformance.Window;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MwBindInfo;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Access through memory windows of both types, and which binds are allowed. */
final class WindowCases {
  private static final int WORD = 8;
  private static final Set<AccessFlag> NOTHING = EnumSet.noneOf(AccessFlag.class);
  private static final Set<AccessFlag> NO_READ =
      EnumSet.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_ATOMIC);
  private static final Set<AccessFlag> NO_WRITE =
      EnumSet.of(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);
  private static final Set<AccessFlag> NO_ATOMIC =
      EnumSet.of(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE);
  private static final Set<AccessFlag> ONLY_BINDABLE = EnumSet.of(AccessFlag.MW_BIND);
  private static final Set<AccessFlag> NOT_BINDABLE =
      EnumSet.of(
          AccessFlag.LOCAL_WRITE,
          AccessFlag.REMOTE_WRITE,
          AccessFlag.REMOTE_READ,
          AccessFlag.REMOTE_ATOMIC);

  private WindowCases() {}

  static Stream<SuiteCase> rows() {
    return Stream.concat(
        throughRegions().stream(),
        Stream.of(MwType.values())
            .flatMap(
                type ->
                    Stream.of(
                        rdma(type), atomics(type), edges(type), rights(type), connected(type)))
            .flatMap(List::stream));
  }

  private static SuiteCase row(String id, MwType type) {
    return SuiteCase.of(id).variant(type.name());
  }

  /** All remote memory behind a window. */
  private static Window window(ConnectedPair bed, MwType type, Set<AccessFlag> rights) {
    return Window.bound(bed.pair(), bed.b(), type, Window.over(bed.remote(), rights));
  }

  private static SendWr write(ConnectedPair bed, Window window) {
    return SendWr.rdmaWrite(1, bed.remote().addr(), window.rkey(), bed.local().sge());
  }

  private static SendWr read(ConnectedPair bed, Window window) {
    return SendWr.rdmaRead(1, bed.remote().addr(), window.rkey(), bed.local().sge());
  }

  private static List<SuiteCase> throughRegions() {
    String id = "GUT-access_test-RdmaAccessTest.AllAccess";
    return List.of(
        SuiteCase.of(id)
            .variant("region WRITE")
            .bytes(2 * ConnectedPair.PAGE)
            .when(bed -> bed.post(bed.write(1)))
            .sends("1 RDMA_WRITE")
            .then(bed -> bed.assertRemoteFullOf('a')),
        SuiteCase.of(id)
            .variant("region READ")
            .bytes(2 * ConnectedPair.PAGE)
            .when(bed -> bed.post(bed.read(1)))
            .sends("1 RDMA_READ 8192")
            .then(bed -> bed.assertLocalFullOf('b')));
  }

  private static SuiteCase written(SuiteCase row, MwType type, Set<AccessFlag> rights) {
    return row.bytes(2 * ConnectedPair.PAGE)
        .when(bed -> bed.post(write(bed, window(bed, type, rights))))
        .sends("1 RDMA_WRITE")
        .then(bed -> bed.assertRemoteFullOf('a'));
  }

  private static SuiteCase wasRead(SuiteCase row, MwType type, Set<AccessFlag> rights) {
    return row.bytes(2 * ConnectedPair.PAGE)
        .when(bed -> bed.post(read(bed, window(bed, type, rights))))
        .sends("1 RDMA_READ 8192")
        .then(bed -> bed.assertLocalFullOf('b'));
  }

  private static List<SuiteCase> rdma(MwType type) {
    String all = "GUT-access_test-RdmaAccessTest.AllAccess";
    String noWrite = "GUT-access_test-RdmaAccessTest.MissingDstRemoteWrite";
    return List.of(
        written(SuiteCase.of(all).variant(type + " WRITE"), type, Window.ALL_REMOTE),
        wasRead(SuiteCase.of(all).variant(type + " READ"), type, Window.ALL_REMOTE),
        wasRead(SuiteCase.of(noWrite).variant(type + " READ"), type, NO_WRITE),
        SuiteCase.of(noWrite)
            .variant(type + " WRITE")
            .bytes(2 * ConnectedPair.PAGE)
            .when(bed -> bed.post(write(bed, window(bed, type, NO_WRITE))))
            .sends("1 REM_ACCESS_ERR")
            .then(bed -> bed.assertRemoteFullOf('b')));
  }

  private static SendWr add(ConnectedPair bed, Window window, Sge sge) {
    SendWr.RemoteTarget target = new SendWr.RemoteTarget(bed.remote().addr(), window.rkey());
    return SendWr.fetchAndAdd(1, target, 1, sge);
  }

  private static SuiteCase added(String id, MwType type, Set<AccessFlag> rights) {
    return row(id, type)
        .when(
            bed -> {
              ConnectedPair.setWord(bed.remote(), 2);
              bed.post(add(bed, window(bed, type, rights), bed.local().sge(0, WORD)));
            });
  }

  private static List<SuiteCase> atomics(MwType type) {
    return List.of(
        added("GUT-access_test-AtomicAccessTest.MissingDstRemoteWrite", type, NO_WRITE)
            .sends("1 FETCH_ADD")
            .then(bed -> assertThat(ConnectedPair.word(bed.remote())).isEqualTo(3)),
        added("GUT-access_test-AtomicAccessTest.MissingDstRemoteRead", type, NO_READ)
            .sends("1 FETCH_ADD")
            .then(bed -> assertThat(ConnectedPair.word(bed.remote())).isEqualTo(3)),
        added("GUT-access_test-AtomicAccessTest.MissingDstRemoteAtomic", type, NO_ATOMIC)
            .sends("1 REM_ACCESS_ERR")
            .then(bed -> assertThat(ConnectedPair.word(bed.remote())).isEqualTo(2)),
        row("GUT-access_test-AtomicAccessTest.MissingSrcLocalWrite", type)
            .when(
                bed -> {
                  MemoryRegion source = bed.a().register(WORD, EnumSet.of(AccessFlag.REMOTE_READ));
                  bed.post(add(bed, window(bed, type, Window.ALL_REMOTE), source.sge()));
                })
            .sends("1 LOC_PROT_ERR"));
  }

  /** The two pages in the middle of four. */
  private static Window middle(ConnectedPair bed, MwType type) {
    MwBindInfo binding =
        Window.over(bed.remote(), ConnectedPair.PAGE, 2L * ConnectedPair.PAGE, Window.ALL_REMOTE);
    return Window.bound(bed.pair(), bed.b(), type, binding);
  }

  /** A write of a page to so many bytes behind the start of the window. */
  private static SuiteCase writtenAt(String id, MwType type, int offset) {
    return row(id, type)
        .bytes(4 * ConnectedPair.PAGE)
        .when(
            bed -> {
              long addr = bed.remote().addr() + ConnectedPair.PAGE + offset;
              Sge page = bed.local().sge(0, ConnectedPair.PAGE);
              bed.post(SendWr.rdmaWrite(1, addr, middle(bed, type).rkey(), page));
            })
        .sends("1 REM_ACCESS_ERR")
        .then(bed -> bed.assertRemoteFullOf('b'));
  }

  /** A bind of local memory by the local side. */
  private static SuiteCase boundOver(String id, MwType type, long offset, long length) {
    return row(id, type)
        .bytes(4 * ConnectedPair.PAGE)
        .when(
            bed -> {
              MwBindInfo binding = Window.over(bed.local(), offset, length, Window.ALL_REMOTE);
              Window.posted(bed.a().qp(), bed.a().pd().allocMw(type), binding);
            })
        .sends(Window.BIND + " MW_BIND_ERR")
        .then(bed -> bed.assertStates(QpState.ERR, QpState.RTS));
  }

  private static List<SuiteCase> edges(MwType type) {
    return List.of(
        boundOver("GUT-buffer_test-BufferMwTest.BindExceedFront", type, -1, ConnectedPair.PAGE),
        boundOver(
            "GUT-buffer_test-BufferMwTest.BindExceedRear",
            type,
            3 * ConnectedPair.PAGE + 1,
            ConnectedPair.PAGE),
        writtenAt("GUT-buffer_test-BufferMwTest.WriteExceedFront", type, -1),
        writtenAt("GUT-buffer_test-BufferMwTest.WriteExceedRear", type, ConnectedPair.PAGE + 1),
        row("GUT-buffer_test-BufferMwTest.ReadExceedRear", type)
            .bytes(4 * ConnectedPair.PAGE)
            .when(
                bed -> {
                  long addr = bed.remote().addr() + 2 * ConnectedPair.PAGE + 1;
                  Sge page = bed.local().sge(0, ConnectedPair.PAGE);
                  bed.post(SendWr.rdmaRead(1, addr, middle(bed, type).rkey(), page));
                })
            .sends("1 REM_ACCESS_ERR")
            .then(bed -> bed.assertLocalFullOf('a')),
        row("GUT-buffer_test-BufferMwTest.WriteZeroByte", type)
            .bytes(4 * ConnectedPair.PAGE)
            .when(
                bed -> {
                  long addr = bed.remote().addr() + ConnectedPair.PAGE;
                  bed.post(SendWr.rdmaWrite(1, addr, middle(bed, type).rkey()));
                })
            .sends("1 RDMA_WRITE")
            .then(bed -> bed.assertRemoteFullOf('b')));
  }

  private static SuiteCase bound(
      String name, MwType type, Set<AccessFlag> ofRegion, Set<AccessFlag> ofWindow) {
    return row("GUT-mw_test-MwBindAccessTest.MwBindAccessTests[" + name + "]", type)
        .when(
            bed -> {
              TestEndpoint side = bed.a();
              MemoryRegion region = side.register(ConnectedPair.PAGE, ofRegion);
              Window.posted(side.qp(), side.pd().allocMw(type), Window.over(region, ofWindow));
            });
  }

  private static SuiteCase allowed(
      String name, MwType type, Set<AccessFlag> ofRegion, Set<AccessFlag> ofWindow) {
    return bound(name, type, ofRegion, ofWindow).sends(Window.BIND + " BIND_MW");
  }

  private static SuiteCase forbidden(
      String name, MwType type, Set<AccessFlag> ofRegion, Set<AccessFlag> ofWindow) {
    return bound(name, type, ofRegion, ofWindow).sends(Window.BIND + " MW_BIND_ERR");
  }

  private static List<SuiteCase> rights(MwType type) {
    Set<AccessFlag> write = EnumSet.of(AccessFlag.REMOTE_WRITE);
    Set<AccessFlag> atomic = EnumSet.of(AccessFlag.REMOTE_ATOMIC);
    return List.of(
        allowed("AllAccessPermissions", type, ConnectedPair.ALL_RIGHTS, Window.ALL_REMOTE),
        allowed("MrBindAccessSufficientForMwBind", type, ONLY_BINDABLE, NOTHING),
        forbidden("MrBindAccessNecessaryForMwBind", type, NOT_BINDABLE, NOTHING),
        allowed("MrLocalWriteSufficientForMwRemoteWrite", type, Window.BINDABLE, write),
        forbidden("MrLocalWriteNecessaryForMwRemoteWrite", type, ONLY_BINDABLE, write),
        allowed("MrLocalAtomicSufficientForMwRemoteAtomic", type, Window.BINDABLE, atomic),
        forbidden("MrLocalAtomicNecessaryForMwRemoteAtomic", type, ONLY_BINDABLE, atomic));
  }

  private static List<SuiteCase> connected(MwType type) {
    String number = type == MwType.TYPE_1 ? "1" : "2";
    return List.of(
        row("GUT-mw_test-MwGeneralTest.Bind", type)
            .when(
                bed ->
                    Window.posted(
                        bed.a().qp(),
                        bed.a().pd().allocMw(type),
                        Window.over(bed.local(), Window.ALL_REMOTE)))
            .sends(Window.BIND + " BIND_MW"),
        row("GUT-mw_test-MwGeneralTest.Read", type)
            .when(bed -> bed.post(read(bed, window(bed, type, Window.ALL_REMOTE))))
            .sends("1 RDMA_READ 4096")
            .then(bed -> bed.assertLocalFullOf('b')),
        SuiteCase.of("GUT-rc_test-LoopbackRcQpTest.Type" + number + "MWRead")
            .when(bed -> bed.post(read(bed, window(bed, type, Window.ALL_REMOTE))))
            .sends("1 RDMA_READ 4096")
            .then(bed -> bed.assertLocalFullOf('b')),
        SuiteCase.of("GUT-rc_test-LoopbackRcQpTest.Type" + number + "MWWrite")
            .when(bed -> bed.post(write(bed, window(bed, type, Window.ALL_REMOTE))))
            .sends("1 RDMA_WRITE")
            .then(bed -> bed.assertRemoteFullOf('a')));
  }
}
