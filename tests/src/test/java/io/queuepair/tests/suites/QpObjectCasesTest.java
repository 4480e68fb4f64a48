// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Making, querying and modifying one queue pair; no packet moves. */
final class QpObjectCasesTest {
  private static final QpCap SMALL = new QpCap(10, 1, 1, 1, 36);

  @AutoClose private final Emulator emulator = Emulator.inMemory();

  private final Context context =
      emulator
          .addDevice(DeviceProfile.standard().withLimit(DeviceLimit.MAX_QP, 50), "10.0.0.1")
          .open();
  private final ProtectionDomain pd = context.allocPd();
  private final CompletionQueue cq = context.createCq(10);
  private final int maxWr = (int) context.queryDevice().limit(DeviceLimit.MAX_QP_WR);

  private QueuePair create(QpType type, QpCap cap) {
    return pd.createQp(QpInitAttr.of(type, cq, cap));
  }

  private static Errno errnoOf(ThrowingCallable call) {
    VerbsException refusal = catchThrowableOfType(VerbsException.class, call);
    return refusal == null ? null : refusal.errno();
  }

  private Errno errnoOfCreating(QpType type, QpCap cap) {
    return errnoOf(() -> create(type, cap));
  }

  @Test
  @Tag("GUT-qp_test-QpTest.Create")
  void aNewQueuePairIsWhatWasAskedFor() {
    CompletionQueue other = context.createCq(10);
    QpInitAttr asked = new QpInitAttr(QpType.RC, cq, other, null, SMALL, false);

    try (QueuePair qp = pd.createQp(asked)) {
      assertThat(qp.pd()).isSameAs(pd);
      assertThat(qp.initAttr()).isEqualTo(asked);
      assertThat(qp.query().qpState()).isEqualTo(QpState.RESET);
    }
  }

  @Test
  @Tag("GUT-qp_test-QpTest.CreateUd")
  void aQueuePairForDatagramsCanBeMade() {
    try (QueuePair qp = create(QpType.UD, SMALL)) {
      assertThat(qp.initAttr().qpType()).isEqualTo(QpType.UD);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {36, 96, 216, 580, 1000})
  @Tag("GUT-qp_test-QpTest.CreateWithInlineMax")
  void inlineDataIsGrantedUpTo512Bytes(int bytes) {
    QpCap cap = new QpCap(10, 1, 1, 1, bytes);

    if (bytes <= 512) {
      assertThat(create(QpType.RC, cap).initAttr().cap().maxInlineData())
          .isGreaterThanOrEqualTo(bytes);
    } else {
      assertThat(errnoOfCreating(QpType.RC, cap)).isEqualTo(Errno.EINVAL);
    }
  }

  @Test
  @Tag("GUT-qp_test-QpTest.CreateWithInvalidSendCq")
  void aCompletionQueueThatIsGoneCannotBeUsed() {
    CompletionQueue gone = context.createCq(10);
    gone.close();

    assertThat(errnoOf(() -> pd.createQp(new QpInitAttr(QpType.RC, gone, cq, null, SMALL, false))))
        .isEqualTo(Errno.EINVAL);
  }

  @Test
  @Tag("GUT-qp_test-QpTest.UnknownType")
  void aTypeThatIsNotOfferedIsRefused() {
    assertThat(errnoOfCreating(QpType.DRIVER, SMALL)).isEqualTo(Errno.EOPNOTSUPP);
  }

  @Test
  @Tag("GUT-qp_test-QpTest.MaxQpWr")
  void theLargestQueuesCanBeHadAndNoLarger() {
    create(QpType.RC, new QpCap(maxWr, 1, 1, 1, 36)).close();
    create(QpType.RC, new QpCap(10, maxWr, 1, 1, 36)).close();

    assertThat(errnoOfCreating(QpType.RC, new QpCap(maxWr + 1, 1, 1, 1, 36)))
        .isEqualTo(Errno.EINVAL);
    assertThat(errnoOfCreating(QpType.RC, new QpCap(10, maxWr + 1, 1, 1, 36)))
        .isEqualTo(Errno.EINVAL);
  }

  @Test
  @Tag("PYV-qp-QPTest.illegal_caps_max_recv_wr")
  @Tag("test_qp.QPTest.test_create_raw_qp_ex_with_illegal_caps_max_recv_wr")
  void aQueueOfTwoToThe32IsRefused() {
    assertThat(errnoOfCreating(QpType.UD, new QpCap(10, -1, 1, 1, 36))).isEqualTo(Errno.EINVAL);
  }

  @Test
  @Tag("GUT-device_test-DeviceLimitTest.MaxQp")
  void asManyQueuePairsAsTheDeviceSaysAndNoMore() {
    for (int i = 0; i < 50; i++) {
      create(QpType.RC, SMALL);
    }

    assertThat(errnoOfCreating(QpType.RC, SMALL)).isEqualTo(Errno.ENOMEM);
  }

  @ParameterizedTest
  @EnumSource(names = {"RC", "UC", "UD", "RAW_PACKET"})
  @Tag("PYV-qp-QPTest.query_qp")
  @Tag("test_qp.QPTest.test_query_rc_qp")
  @Tag("test_qp.QPTest.test_query_uc_qp")
  @Tag("test_qp.QPTest.test_query_ud_qp")
  @Tag("test_qp.QPTest.test_query_raw_qp")
  void aNewQueuePairIsInResetWithAtLeastTheCapacitiesAskedFor(QpType type) {
    Random random = new Random(type.ordinal());
    QpCap asked =
        new QpCap(
            1 + random.nextInt(1000),
            1 + random.nextInt(1000),
            1 + random.nextInt(32),
            1 + random.nextInt(32),
            random.nextInt(512));

    try (QueuePair qp = create(type, asked)) {
      QpCap granted = qp.query().cap();
      assertThat(qp.query().qpState()).isEqualTo(QpState.RESET);
      assertThat(granted.maxSendWr()).isGreaterThanOrEqualTo(asked.maxSendWr());
      assertThat(granted.maxRecvWr()).isGreaterThanOrEqualTo(asked.maxRecvWr());
      assertThat(granted.maxSendSge()).isGreaterThanOrEqualTo(asked.maxSendSge());
      assertThat(granted.maxRecvSge()).isGreaterThanOrEqualTo(asked.maxRecvSge());
      assertThat(granted.maxInlineData()).isGreaterThanOrEqualTo(asked.maxInlineData());
    }
  }

  private static QpAttr init() {
    return QpAttr.to(QpState.INIT)
        .pkeyIndex(0)
        .portNum(1)
        .qpAccessFlags(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE);
  }

  /** The queue pair is connected to itself. */
  private QpAttr rtr(QueuePair qp) {
    return QpAttr.to(QpState.RTR)
        .ahAttr(AhAttr.to(context.queryGid(1, 0)))
        .pathMtu(Mtu.MTU_4096)
        .destQpNum(qp.qpNum())
        .rqPsn(1024)
        .minRnrTimer(26)
        .maxDestRdAtomic(12);
  }

  private static QpAttr rts() {
    return QpAttr.to(QpState.RTS).sqPsn(1024).timeout(14).retryCnt(5).rnrRetry(5).maxRdAtomic(12);
  }

  private QueuePair connected() {
    QueuePair qp = create(QpType.RC, SMALL);
    qp.modify(init());
    qp.modify(rtr(qp));
    qp.modify(rts());
    return qp;
  }

  @Test
  @Tag("GUT-qp_test-QpTest.Modify")
  void aQueuePairCanBeConnectedToItself() {
    try (QueuePair qp = connected()) {
      assertThat(qp.query().qpState()).isEqualTo(QpState.RTS);
    }
  }

  @Test
  @Tag("PYV-qp-RCQPTest.modify_rc_qp_rd_atomic")
  void theDepthsOfReadsAreThoseThatWereSet() {
    QpAttr attr = connected().query();

    assertThat(attr.maxRdAtomic()).isGreaterThanOrEqualTo(12);
    assertThat(attr.maxDestRdAtomic()).isGreaterThanOrEqualTo(12);
  }

  private static void assertRefused(QueuePair qp, QpAttr attr, Set<QpAttrMask> mask) {
    QpState before = qp.query().qpState();

    assertThat(errnoOf(() -> qp.modify(attr, mask))).as("%s", mask).isEqualTo(Errno.EINVAL);
    assertThat(qp.query().qpState()).isEqualTo(before);
  }

  @Test
  @Tag("GUT-qp_test-QpTest.ModifyInvalidResetToRtrTransition")
  void resetDoesNotLeadToRtr() {
    QueuePair qp = create(QpType.RC, SMALL);

    assertRefused(qp, rtr(qp), rtr(qp).mask());
  }

  @Test
  @Tag("GUT-qp_test-QpTest.ModifyInvalidRtsToRtrTransition")
  void rtsDoesNotLeadBackToRtr() {
    QueuePair qp = connected();

    assertRefused(qp, rtr(qp), rtr(qp).mask());
  }

  /** STATE alone and STATE with each single attribute is too little, all of them are enough. */
  private static void assertNeedsAll(QueuePair qp, QpAttr attr) {
    for (QpAttrMask single : attr.mask()) {
      assertRefused(qp, attr, EnumSet.of(QpAttrMask.STATE, single));
    }
    qp.modify(attr);
    assertThat(qp.query().qpState()).isEqualTo(attr.qpState());
  }

  @Test
  @Tag("GUT-qp_test-QpTest.ModifyBadResetToInitStateTransition")
  void resetToInitNeedsAllItsAttributes() {
    assertNeedsAll(create(QpType.RC, SMALL), init());
  }

  @Test
  @Tag("GUT-qp_test-QpTest.ModifyBadInitToRtrStateTransition")
  void initToRtrNeedsAllItsAttributes() {
    QueuePair qp = create(QpType.RC, SMALL);
    qp.modify(init());

    assertNeedsAll(qp, rtr(qp));
  }

  private QueuePair datagramsInRts() {
    QueuePair qp = create(QpType.UD, SMALL);
    qp.modify(QpAttr.to(QpState.INIT).pkeyIndex(0).portNum(1).qkey(17));
    qp.modify(QpAttr.to(QpState.RTR));
    qp.modify(QpAttr.to(QpState.RTS).sqPsn(1225));
    return qp;
  }

  @Test
  @Tag("GUT-qp_test-QpTest.UdModify")
  void aQueuePairForDatagramsNeedsLess() {
    QpAttr attr = datagramsInRts().query();

    assertThat(attr.qpState()).isEqualTo(QpState.RTS);
    assertThat(attr.qkey()).isEqualTo(17);
    assertThat(attr.sqPsn()).isEqualTo(1225);
  }

  @Test
  @Tag("GUT-qp_test-QpStateTest.DestroyFromReset")
  void aQueuePairInResetCanBeDestroyed() {
    QueuePair qp = create(QpType.RC, SMALL);
    assertThat(qp.query().qpState()).isEqualTo(QpState.RESET);

    qp.close();

    cq.close();
  }

  @Test
  @Tag("GUT-qp_test-QpStateTest.ModRtsToError")
  void rtsLeadsToErrorWithNothingButTheState() {
    QueuePair qp = connected();

    qp.modify(QpAttr.to(QpState.ERR));

    assertThat(qp.query().qpState()).isEqualTo(QpState.ERR);
  }

  @Test
  @Tag("PYV-qpex-QpExTestCase.post_receive_qp_state_bad_flow")
  void noReceiveIsPostedInReset() {
    QueuePair qp = datagramsInRts();
    qp.modify(QpAttr.to(QpState.RESET));

    assertThat(errnoOf(() -> qp.postRecv(RecvWr.of(1)))).isEqualTo(Errno.EINVAL);
  }

  @Test
  @Tag("PYV-qpex-QpExTestCase.rq_with_larger_sgl_bad_flow")
  void aReceiveHasNoMoreEntriesThanGranted() {
    QueuePair qp = datagramsInRts();
    int granted = qp.query().cap().maxRecvSge();
    Sge[] more = new Sge[granted + 1];
    Arrays.fill(more, pd.regMr(ByteBuffer.allocateDirect(8), Set.of()).sge());

    assertThat(errnoOf(() -> qp.postRecv(RecvWr.of(1, more)))).isEqualTo(Errno.EINVAL);
  }
}
