// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import java.util.List;
import java.util.stream.Stream;

/** READs: the remote side is checked first, the local key when the data comes. */
final class ReadCases {
  private static final int FOUR_PAGES = 4 * ConnectedPair.PAGE;

  private ReadCases() {}

  static Stream<SuiteCase> rows() {
    return Stream.of(data(), bounds(), keys()).flatMap(List::stream);
  }

  /** A READ of one page from an offset of the remote memory. */
  private static void readFrom(ConnectedPair bed, int offset) {
    MemoryRegion remote = bed.remote();
    bed.post(
        SendWr.rdmaRead(
            1, remote.addr() + offset, remote.rkey(), bed.local().sge(0, ConnectedPair.PAGE)));
  }

  private static SendWr into(ConnectedPair bed, long wrId, Sge target) {
    return SendWr.rdmaRead(wrId, bed.remote().addr(), bed.remote().rkey(), target);
  }

  private static Sge badKey(ConnectedPair bed) {
    return new Sge(bed.local().addr(), ConnectedPair.PAGE, (bed.local().lkey() + 10) * 5);
  }

  private static List<SuiteCase> data() {
    return List.of(
        SuiteCase.of("GUT-rc_test-LoopbackRcQpTest.BasicRead")
            .when(bed -> bed.post(bed.read(1)))
            .sends("1 RDMA_READ 4096")
            .then(bed -> bed.assertLocalFullOf('b')),
        SuiteCase.of("GUT-rc_test-LoopbackRcQpTest.BasicReadLargePayload")
            .bytes(128 * ConnectedPair.PAGE)
            .when(bed -> bed.post(bed.read(1)))
            .sends("1 RDMA_READ 524288")
            .then(bed -> bed.assertLocalFullOf('b')),
        SuiteCase.of("GUT-rc_test-LoopbackRcQpTest.UnsignaledRead")
            .when(bed -> bed.post(bed.read(1).withFlags(), bed.read(2)))
            .sends("2 RDMA_READ 4096")
            .then(bed -> bed.assertLocalFullOf('b')),
        SuiteCase.of("GUT-buffer_test-BufferMrTest.ReadZeroByte")
            .when(bed -> bed.post(into(bed, 1, bed.local().sge(0, 0))))
            .sends("1 RDMA_READ 0")
            .then(bed -> bed.assertLocalFullOf('a')),
        SuiteCase.of("GUT-buffer_test-BufferMrTest.ReadZeroByteInvalidRKey")
            .when(
                bed ->
                    bed.post(
                        SendWr.rdmaRead(
                            1, bed.remote().addr(), ConnectedPair.BAD_KEY, bed.local().sge(0, 0))))
            .sends("1 RDMA_READ 0")
            .then(bed -> bed.assertStates(QpState.RTS, QpState.RTS)));
  }

  private static SuiteCase refused(String id) {
    return SuiteCase.of(id).sends("1 REM_ACCESS_ERR").then(bed -> bed.assertLocalFullOf('a'));
  }

  private static List<SuiteCase> bounds() {
    return List.of(
        refused("GUT-buffer_test-BufferMrTest.ReadExceedFront")
            .bytes(FOUR_PAGES)
            .when(bed -> readFrom(bed, -1)),
        refused("GUT-buffer_test-BufferMrTest.ReadExceedRear")
            .bytes(FOUR_PAGES)
            .when(bed -> readFrom(bed, FOUR_PAGES - ConnectedPair.PAGE + 1)),
        refused("GUT-rc_test-LoopbackRcQpTest.ReadUnregisteredRemoteAddress")
            .when(
                bed -> {
                  MemoryRegion gone = bed.b().register(ConnectedPair.PAGE);
                  long addr = gone.addr();
                  gone.close();
                  bed.post(SendWr.rdmaRead(1, addr, bed.remote().rkey(), bed.local().sge()));
                }));
  }

  private static List<SuiteCase> keys() {
    return List.of(
        SuiteCase.of("GUT-rc_test-LoopbackRcQpTest.ReadInvalidLkey")
            .when(bed -> bed.post(into(bed, 1, badKey(bed))))
            .sends("1 LOC_PROT_ERR")
            .then(bed -> bed.assertLocalFullOf('a')),
        SuiteCase.of("GUT-rc_test-LoopbackRcQpTest.UnsignaledReadError")
            .when(bed -> bed.post(into(bed, 1, badKey(bed)).withFlags()))
            .sends("1 LOC_PROT_ERR"),
        refused("GUT-rc_test-LoopbackRcQpTest.ReadInvalidRKeyAndInvalidLKey")
            .when(
                bed ->
                    bed.post(
                        SendWr.rdmaRead(
                            1, bed.remote().addr(), ConnectedPair.BAD_KEY, badKey(bed)))),
        SuiteCase.of("GUT-async_event_test-AsyncEventTest.ReadRKeyViolation")
            .when(
                bed ->
                    bed.post(
                        SendWr.rdmaRead(
                            1, bed.remote().addr(), ConnectedPair.BAD_KEY, bed.local().sge())))
            .sends("1 REM_ACCESS_ERR")
            .then(
                bed -> {
                  bed.assertLocalFullOf('a');
                  bed.assertAccessEvent();
                }),
        SuiteCase.of("GUT-rc_test-LoopbackRcQpTest.FlushErrorPollTogether")
            .when(bed -> bed.post(into(bed, 1, badKey(bed)), bed.write(2)))
            .sends("1 LOC_PROT_ERR", "2 WR_FLUSH_ERR")
            .then(
                bed -> {
                  bed.assertStates(QpState.ERR, QpState.RTS);
                  bed.assertLocalFullOf('a');
                }),
        SuiteCase.of("GUT-rc_test-LoopbackRcQpTest.SendInlineDataInvalidOp")
            .when(
                bed ->
                    assertThatThrownBy(
                            () ->
                                bed.post(
                                    into(
                                            bed,
                                            1,
                                            new Sge(bed.local().addr(), 36, ConnectedPair.BAD_KEY))
                                        .withFlags(SendFlag.SIGNALED, SendFlag.INLINE)))
                        .isInstanceOfSatisfying(
                            BadWorkRequestException.class,
                            refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EINVAL))));
  }
}
