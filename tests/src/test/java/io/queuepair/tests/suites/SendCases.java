// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** SENDs over a reliable connection: rights, keys, bounds and sizes. */
final class SendCases {
  private static final int TWO_PAGES = 2 * ConnectedPair.PAGE;
  private static final Set<AccessFlag> NO_LOCAL_WRITE = EnumSet.of(AccessFlag.REMOTE_READ);
  private static final Set<AccessFlag> NO_REMOTE_WRITE =
      EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);

  private SendCases() {}

  static Stream<SuiteCase> rows() {
    return Stream.of(rights(), receives(), sizes()).flatMap(List::stream);
  }

  /** Sends all local memory into the given memory of the other side. */
  private static void sendInto(ConnectedPair bed, Sge target) {
    bed.receive(0, target);
    bed.post(SendWr.send(1, bed.local().sge()));
  }

  private static void sendAll(ConnectedPair bed) {
    sendInto(bed, bed.remote().sge());
  }

  private static Sge withBadKey(MemoryRegion region) {
    return new Sge(region.addr(), region.length(), (region.lkey() + 10) * 5);
  }

  private static List<SuiteCase> rights() {
    return List.of(
        SuiteCase.of("GUT-access_test-MessagingAccessTest.AllAccess")
            .bytes(TWO_PAGES)
            .when(SendCases::sendAll)
            .sends("1 SEND")
            .receives("0 RECV 8192")
            .then(bed -> bed.assertRemoteFullOf('a')),
        SuiteCase.of("GUT-access_test-MessagingAccessTest.MissingSrcLocalWrite")
            .bytes(TWO_PAGES)
            .when(
                bed -> {
                  bed.receive(0, bed.remote().sge());
                  bed.post(SendWr.send(1, source(bed, NO_LOCAL_WRITE).sge()));
                })
            .sends("1 SEND")
            .receives("0 RECV 8192")
            .then(bed -> bed.assertRemoteFullOf('a')),
        SuiteCase.of("GUT-access_test-MessagingAccessTest.MissingDstLocalWrite")
            .bytes(TWO_PAGES)
            .when(bed -> sendInto(bed, target(bed, NO_LOCAL_WRITE).sge()))
            .sends("1 REM_OP_ERR")
            .receives("0 LOC_PROT_ERR"),
        SuiteCase.of("GUT-access_test-MessagingAccessTest.MissingDstRemoteWrite")
            .bytes(TWO_PAGES)
            .when(bed -> sendInto(bed, target(bed, NO_REMOTE_WRITE).sge()))
            .sends("1 SEND")
            .receives("0 RECV 8192"),
        SuiteCase.of("GUT-rc_test-LoopbackRcQpTest.SendInvalidLkey")
            .when(bed -> bed.post(SendWr.send(1, withBadKey(bed.local()))))
            .sends("1 LOC_PROT_ERR"));
  }

  private static MemoryRegion source(ConnectedPair bed, Set<AccessFlag> rights) {
    return ConnectedPair.filled(bed.a(), TWO_PAGES, rights, 'a');
  }

  private static MemoryRegion target(ConnectedPair bed, Set<AccessFlag> rights) {
    return ConnectedPair.filled(bed.b(), TWO_PAGES, rights, 'b');
  }

  private static SuiteCase refusedReceive(String id) {
    return SuiteCase.of(id)
        .sends("1 REM_OP_ERR")
        .receives("0 LOC_PROT_ERR")
        .then(bed -> bed.assertRemoteFullOf('b'));
  }

  /** Bytes that may lie outside the region, which {@link MemoryRegion#sge(int, int)} refuses. */
  private static Sge anyPart(MemoryRegion region, int offset, int length) {
    return new Sge(region.addr() + offset, length, region.lkey());
  }

  private static List<SuiteCase> receives() {
    return List.of(
        refusedReceive("GUT-rc_test-LoopbackRcQpTest.BadRecvAddr")
            .when(bed -> sendInto(bed, anyPart(bed.remote(), -1, ConnectedPair.PAGE))),
        refusedReceive("GUT-rc_test-LoopbackRcQpTest.RecvPayloadExceedMr")
            .when(bed -> sendInto(bed, anyPart(bed.b().register(4064), 0, ConnectedPair.PAGE))),
        refusedReceive("GUT-rc_test-LoopbackRcQpTest.BadRecvLkey")
            .when(bed -> sendInto(bed, withBadKey(bed.remote()))),
        // Undefined by the specification: only bytes that are accessed are checked here.
        SuiteCase.of("GUT-rc_test-LoopbackRcQpTest.RecvBufferExceedMr")
            .when(bed -> sendInto(bed, anyPart(bed.remote(), 0, ConnectedPair.PAGE + 32)))
            .sends("1 SEND")
            .receives("0 RECV 4096")
            .then(bed -> bed.assertRemoteFullOf('a')),
        SuiteCase.of("GUT-rc_test-LoopbackRcQpTest.SendWithTooSmallRecv")
            .when(bed -> sendInto(bed, bed.remote().sge(0, ConnectedPair.PAGE - 1)))
            .sends("1 REM_INV_REQ_ERR")
            .receives("0 LOC_LEN_ERR")
            .then(bed -> bed.assertStates(QpState.ERR, QpState.ERR)),
        SuiteCase.of("GUT-rc_test-LoopbackRcQpTest.SendRnr")
            .when(bed -> bed.post(SendWr.send(1, bed.local().sge())))
            .sends("1 RNR_RETRY_EXC_ERR")
            .inVirtualTime());
  }

  private static List<SuiteCase> sizes() {
    return List.of(
        SuiteCase.of("GUT-buffer_test-BufferMrTest.SendZeroByteOutsideMr")
            .when(
                bed -> {
                  bed.receive(0, anyPart(bed.remote(), -ConnectedPair.PAGE, 0));
                  bed.post(SendWr.send(1, anyPart(bed.local(), -ConnectedPair.PAGE, 0)));
                })
            .sends("1 SEND")
            .receives("0 RECV 0"),
        SuiteCase.of("GUT-rc_test-LoopbackRcQpTest.SendEmptySgl")
            .when(
                bed -> {
                  bed.receive(0);
                  bed.post(SendWr.send(1));
                })
            .sends("1 SEND")
            .receives("0 RECV 0"),
        SuiteCase.of("GUT-rc_test-LoopbackRcQpTest.UnsignaledSend")
            .when(
                bed -> {
                  bed.receive(0, bed.remote().sge());
                  bed.post(SendWr.send(1, bed.local().sge()).withFlags());
                })
            .receives("0 RECV 4096")
            .then(bed -> bed.assertRemoteFullOf('a')),
        SuiteCase.of("GUT-rc_test-LoopbackRcQpTest.SendLargeChunk")
            .bytes(128 * ConnectedPair.PAGE)
            .when(SendCases::sendAll)
            .sends("1 SEND")
            .receives("0 RECV 524288")
            .then(bed -> bed.assertRemoteFullOf('a')));
  }
}
