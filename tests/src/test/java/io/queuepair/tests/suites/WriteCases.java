// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.conformance.Bytes;
import io.queuepair.tests.conformance.TestEndpoint;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** WRITEs: the local memory is gathered first, the remote key is checked when they arrive. */
final class WriteCases {
  private static final int INLINE = 36;
  private static final int IMM = 0xbadd_cafe;
  private static final Set<AccessFlag> NO_REMOTE_WRITE =
      EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);

  private WriteCases() {}

  static Stream<SuiteCase> rows() {
    return Stream.concat(
        Stream.of(data(), nothing(), keys(), immediate()).flatMap(List::stream), everyMtu());
  }

  private static SendWr from(ConnectedPair bed, Sge source) {
    return SendWr.rdmaWrite(1, bed.remote().addr(), bed.remote().rkey(), source);
  }

  private static SendWr to(ConnectedPair bed, long addr, int rkey) {
    return SendWr.rdmaWrite(1, addr, rkey, bed.local().sge(0, ConnectedPair.PAGE));
  }

  private static List<SuiteCase> data() {
    return List.of(
        SuiteCase.of("GUT-rc_test-LoopbackRcQpTest.BasicWriteLargePayload")
            .bytes(128 * ConnectedPair.PAGE)
            .when(bed -> bed.post(bed.write(1)))
            .sends("1 RDMA_WRITE")
            .then(bed -> bed.assertRemoteFullOf('a')),
        SuiteCase.of("GUT-rc_test-LoopbackRcQpTest.UnsignaledWrite")
            .when(bed -> bed.post(bed.write(1).withFlags(), bed.write(2)))
            .sends("2 RDMA_WRITE")
            .then(bed -> bed.assertRemoteFullOf('a')),
        SuiteCase.of("GUT-rc_test-LoopbackRcQpTest.WriteInlineData")
            .when(
                bed -> {
                  MemoryRegion source =
                      ConnectedPair.filled(bed.a(), INLINE, ConnectedPair.ALL_RIGHTS, 'c');
                  Sge withoutKey = new Sge(source.addr(), INLINE, 0);
                  bed.post(from(bed, withoutKey).withFlags(SendFlag.SIGNALED, SendFlag.INLINE));
                  Bytes.into(source, 0, Bytes.fill(INLINE, 'd'));
                  source.close();
                })
            .sends("1 RDMA_WRITE")
            .then(
                bed -> {
                  byte[] expected = Bytes.fill(ConnectedPair.PAGE, 'b');
                  Arrays.fill(expected, 0, INLINE, (byte) 'c');
                  assertThat(Bytes.in(bed.remote(), 0, ConnectedPair.PAGE)).isEqualTo(expected);
                }));
  }

  private static Stream<SuiteCase> everyMtu() {
    return Arrays.stream(Mtu.values())
        .map(
            mtu ->
                SuiteCase.of("GUT-vary_mtu_test-VaryMtuTest.VaryMtuTest")
                    .variant(mtu.toString())
                    .given(builder -> builder.mtu(mtu))
                    .bytes(16_384)
                    .when(bed -> bed.post(bed.write(1)))
                    .sends("1 RDMA_WRITE")
                    .then(bed -> bed.assertRemoteFullOf('a')));
  }

  private static SuiteCase empty(String id) {
    return SuiteCase.of(id).sends("1 RDMA_WRITE").then(bed -> bed.assertRemoteFullOf('b'));
  }

  private static List<SuiteCase> nothing() {
    return List.of(
        empty("GUT-buffer_test-BufferMrTest.WriteZeroByte")
            .when(bed -> bed.post(from(bed, bed.local().sge(0, 0)))),
        empty("GUT-buffer_test-BufferMrTest.WriteZeroByteOutsideMr")
            .when(
                bed -> {
                  MemoryRegion remote = bed.remote();
                  bed.post(
                      SendWr.rdmaWrite(1, remote.addr() - 1, remote.rkey(), bed.local().sge(0, 0)));
                }),
        empty("GUT-buffer_test-BufferMrTest.WriteZeroByteInvalidRKey")
            .when(
                bed ->
                    bed.post(
                        SendWr.rdmaWrite(
                            1,
                            bed.remote().addr(),
                            ConnectedPair.BAD_KEY,
                            bed.local().sge(0, 0)))));
  }

  private static SuiteCase refused(String id) {
    return SuiteCase.of(id).sends("1 REM_ACCESS_ERR").then(bed -> bed.assertRemoteFullOf('b'));
  }

  private static List<SuiteCase> keys() {
    return List.of(
        refused("GUT-access_test-RdmaAccessTest.MissingDstRemoteWrite")
            .variant("WRITE")
            .when(
                bed -> {
                  MemoryRegion target =
                      ConnectedPair.filled(bed.b(), ConnectedPair.PAGE, NO_REMOTE_WRITE, 'b');
                  bed.post(to(bed, target.addr(), target.rkey()));
                }),
        SuiteCase.of("GUT-access_test-RdmaAccessTest.MissingDstRemoteWrite")
            .variant("READ")
            .when(
                bed -> {
                  MemoryRegion source =
                      ConnectedPair.filled(bed.b(), ConnectedPair.PAGE, NO_REMOTE_WRITE, 'b');
                  bed.post(SendWr.rdmaRead(1, source.addr(), source.rkey(), bed.local().sge()));
                })
            .sends("1 RDMA_READ 4096")
            .then(bed -> bed.assertLocalFullOf('b')),
        refused("GUT-buffer_test-BufferMrTest.WriteExceedFront")
            .when(bed -> bed.post(to(bed, bed.remote().addr() - 1, bed.remote().rkey()))),
        refused("GUT-rc_test-LoopbackRcQpTest.WriteInvalidRkey")
            .when(bed -> bed.post(to(bed, bed.remote().addr(), ConnectedPair.BAD_KEY))),
        SuiteCase.of("GUT-async_event_test-AsyncEventTest.WriteRKeyViolation")
            .when(bed -> bed.post(to(bed, bed.remote().addr(), ConnectedPair.BAD_KEY)))
            .sends("1 REM_ACCESS_ERR")
            .then(ConnectedPair::assertAccessEvent),
        SuiteCase.of("GUT-rc_test-LoopbackRcQpTest.WriteInvalidRKeyAndInvalidLKey")
            .when(
                bed ->
                    bed.post(
                        SendWr.rdmaWrite(
                            1,
                            bed.remote().addr(),
                            ConnectedPair.BAD_KEY,
                            new Sge(
                                bed.local().addr(), ConnectedPair.PAGE, ConnectedPair.BAD_KEY))))
            .sends("1 LOC_PROT_ERR")
            .then(bed -> bed.assertStates(QpState.ERR, QpState.RTS)),
        refused("GUT-rc_test-LoopbackRcQpTest.WriteUnregisteredAddress")
            .when(
                bed -> {
                  MemoryRegion gone = bed.b().register(ConnectedPair.PAGE);
                  long addr = gone.addr();
                  gone.close();
                  bed.post(to(bed, addr, bed.remote().rkey()));
                }));
  }

  /** A dummy receive is posted, whose memory must stay as it is. */
  private static void writeWithImm(ConnectedPair bed, int rkey, Sge... source) {
    bed.receive(0, bed.b().region().sge(0, 100));
    bed.post(SendWr.rdmaWriteWithImm(1, bed.remote().addr(), rkey, IMM, source));
  }

  private static void assertDummyUntouched(ConnectedPair bed) {
    byte[] dummy = Bytes.in(bed.b().region(), 0, 100);
    assertThat(dummy).containsOnly(TestEndpoint.FILL);
  }

  private static List<SuiteCase> immediate() {
    return List.of(
        SuiteCase.of("GUT-rc_test-LoopbackRcQpTest.WriteZeroByteWithImmData")
            .when(bed -> writeWithImm(bed, bed.remote().rkey()))
            .sends("1 RDMA_WRITE")
            .receives("0 RECV_RDMA_WITH_IMM 0 imm 0xbaddcafe")
            .then(
                bed -> {
                  bed.assertRemoteFullOf('b');
                  assertDummyUntouched(bed);
                }),
        SuiteCase.of("GUT-rc_test-LoopbackRcQpTest.WriteImmData")
            .when(bed -> writeWithImm(bed, bed.remote().rkey(), bed.local().sge()))
            .sends("1 RDMA_WRITE")
            .receives("0 RECV_RDMA_WITH_IMM 4096 imm 0xbaddcafe")
            .then(
                bed -> {
                  bed.assertRemoteFullOf('a');
                  assertDummyUntouched(bed);
                }),
        SuiteCase.of("GUT-rc_test-LoopbackRcQpTest.WriteImmDataInvalidRKey")
            .when(bed -> writeWithImm(bed, ConnectedPair.BAD_KEY, bed.local().sge()))
            .sends("1 REM_ACCESS_ERR")
            .receives("0 LOC_ACCESS_ERR")
            .then(bed -> bed.assertRemoteFullOf('b')),
        SuiteCase.of("GUT-rc_test-LoopbackRcQpTest.WriteImmDataRnR")
            .when(
                bed ->
                    bed.post(
                        SendWr.rdmaWriteWithImm(
                            1, bed.remote().addr(), bed.remote().rkey(), IMM, bed.local().sge())))
            .sends("1 RNR_RETRY_EXC_ERR")
            .inVirtualTime());
  }
}
