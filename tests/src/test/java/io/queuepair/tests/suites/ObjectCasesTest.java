// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static io.queuepair.tests.conformance.Errnos.assertRefused;
import static io.queuepair.verbs.Errno.EBUSY;
import static io.queuepair.verbs.Errno.EINVAL;
import static io.queuepair.verbs.Errno.ENOMEM;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.tests.conformance.TestEndpoint;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.CqInitAttrEx;
import io.queuepair.verbs.DeviceAttr;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.MrInitAttr;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.SrqAttrMask;
import io.queuepair.verbs.WrOpcode;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Making, querying and destroying objects of one device, of which it has few; no packet moves. */
final class ObjectCasesTest {
  private static final QpCap CAP = new QpCap(10, 1, 1, 1, 36);
  private static final int FEW = 50;

  @AutoClose private final Emulator emulator = Emulator.inMemory();
  private final Context context =
      emulator
          .addDevice(
              DeviceProfile.standard()
                  .withLimit(DeviceLimit.MAX_AH, FEW)
                  .withLimit(DeviceLimit.MAX_CQ, FEW)
                  .withLimit(DeviceLimit.MAX_QP, FEW)
                  .withLimit(DeviceLimit.MAX_SRQ, FEW),
              "10.0.0.1")
          .open();
  private final ProtectionDomain pd = context.allocPd();
  private final CompletionQueue cq = context.createCq(10);
  private final AhAttr ownAddress = AhAttr.to(context.queryGid(1, 0));

  private QueuePair create(QpType type) {
    return pd.createQp(QpInitAttr.of(type, cq, CAP));
  }

  private MemoryRegion register(ProtectionDomain domain) {
    return TestEndpoint.registerIn(domain, 64, ConnectedPair.ALL_RIGHTS);
  }

  /** So many can be made, and no more until one of them is gone. */
  private void assertLimit(int limit, Callable<? extends AutoCloseable> make) throws Exception {
    AutoCloseable first = make.call();
    for (int i = 1; i < limit; i++) {
      make.call();
    }
    assertRefused(ENOMEM, make::call);
    first.close();
    make.call();
    assertRefused(ENOMEM, make::call);
  }

  @Test
  void objectsAreLimited() throws Exception {
    assertLimit(FEW, () -> pd.createAh(ownAddress));
    assertLimit(FEW, () -> pd.createSrq(SrqAttr.of(1, 1)));
    assertLimit(FEW, () -> create(QpType.RC));
  }

  @Test
  void bothKindsOfCompletionQueuesCountAgainstOneLimit() {
    for (int i = 1; i < FEW; i++) { // There is one already.
      AutoCloseable any = i % 2 == 0 ? context.createCq(4) : context.createCqEx(CqInitAttrEx.of(4));
      assertThat(any).isNotNull();
    }
    assertRefused(ENOMEM, () -> context.createCq(4));
    assertRefused(ENOMEM, () -> context.createCqEx(CqInitAttrEx.of(4)));
  }

  @Test
  void completionQueuesHaveTheSizeOfTheDeviceAtMost() {
    int max = (int) context.queryDevice().limit(DeviceLimit.MAX_CQE);

    assertThat(context.createCq(1).cqe()).isPositive();
    assertThat(context.createCq(max).cqe()).isEqualTo(max);
    assertThat(context.createCqEx(CqInitAttrEx.of(max)).cqe()).isEqualTo(max);
    for (int cqe : new int[] {-1, 0, max + 1}) {
      assertRefused(EINVAL, () -> context.createCq(cqe));
      assertRefused(EINVAL, () -> context.createCqEx(CqInitAttrEx.of(cqe)));
    }
  }

  @Test
  void queuePairsHaveTheCapacitiesOfTheDeviceAtMost() {
    int wr = (int) context.queryDevice().limit(DeviceLimit.MAX_QP_WR);
    int sge = (int) context.queryDevice().limit(DeviceLimit.MAX_SGE);
    List<QpCap> tooLarge =
        List.of(
            new QpCap(wr + 1, 1, 1, 1, 0),
            new QpCap(1, wr + 1, 1, 1, 0),
            new QpCap(1, 1, sge + 1, 1, 0),
            new QpCap(1, 1, 1, sge + 1, 0));
    for (QpCap asked : List.of(new QpCap(5, 6, 3, 2, 100), new QpCap(wr, wr, sge, sge, 0))) {
      QueuePair qp = pd.createQp(QpInitAttr.rc(cq, asked));
      QpCap granted = qp.query().cap();

      assertThat(qp.query().qpState()).isEqualTo(QpState.RESET);
      assertThat(granted.maxSendWr()).isGreaterThanOrEqualTo(asked.maxSendWr());
      assertThat(granted.maxRecvWr()).isGreaterThanOrEqualTo(asked.maxRecvWr());
      assertThat(granted.maxSendSge()).isGreaterThanOrEqualTo(asked.maxSendSge());
      assertThat(granted.maxRecvSge()).isGreaterThanOrEqualTo(asked.maxRecvSge());
      assertThat(granted.maxInlineData()).isGreaterThanOrEqualTo(asked.maxInlineData());
      qp.close();
    }
    for (QpCap cap : tooLarge) {
      assertRefused(EINVAL, () -> pd.createQp(QpInitAttr.rc(cq, cap)));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"REMOTE_WRITE", "REMOTE_ATOMIC"})
  void remoteWritingNeedsLocalWrite(AccessFlag right) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(64);

    assertRefused(EINVAL, () -> pd.regMr(buffer, right));
    assertRefused(EINVAL, () -> pd.regMrEx(MrInitAttr.of(right).withAddr(buffer)));
    pd.regMrEx(MrInitAttr.of(right, AccessFlag.LOCAL_WRITE).withAddr(buffer));
  }

  @Test
  void completionVectorsAreThoseOfTheContext() {
    CqInitAttrEx attr = CqInitAttrEx.of(10);

    context.createCqEx(attr.withCompVector(0)).close();
    context.createCqEx(attr.withCompVector(context.numCompVectors() - 1)).close();
    assertRefused(EINVAL, () -> context.createCqEx(attr.withCompVector(context.numCompVectors())));
    assertRefused(EINVAL, () -> context.createCq(10, null, -1));
  }

  static Stream<Function<ObjectCasesTest, AutoCloseable>> users() {
    return Stream.of(
        test -> test.pd.createAh(test.ownAddress),
        test -> test.create(QpType.RC),
        test -> test.pd.createSrq(SrqAttr.of(10, 1)),
        test -> test.register(test.pd),
        test -> test.pd.allocMw(MwType.TYPE_1),
        test -> test.pd.allocMw(MwType.TYPE_2),
        test -> test.pd.allocBuf(64));
  }

  @ParameterizedTest
  @MethodSource("users")
  void aDomainIsBusyWhileItIsUsed(Function<ObjectCasesTest, AutoCloseable> makeUser)
      throws Exception {
    AutoCloseable user = makeUser.apply(this);

    assertRefused(EBUSY, pd::close);
    user.close();
    pd.close();
    pd.close();
    assertRefused(EINVAL, () -> makeUser.apply(this));
  }

  @Test
  void objectsKnowTheirDomain() {
    AddressHandle ah =
        pd.createAh(new AhAttr(new GlobalRoute(context.queryGid(1, 0), 0, 0, 127, 0), 5, 1));
    MemoryWindow mw = pd.allocMw(MwType.TYPE_2);

    assertThat(ah.pd()).isSameAs(pd);
    assertThat(pd.context()).isSameAs(context);
    assertThat(mw.pd()).isSameAs(pd);
    assertThat(mw.type()).isEqualTo(MwType.TYPE_2);
    assertThat(MwType.values()).extracting(MwType::code).containsExactly(1, 2);
    assertRefused(EINVAL, () -> pd.createAh(new AhAttr(null, 0, 1)));
  }

  @Test
  void queuesThatAreGoneCannotBeUsed() {
    CompletionQueue gone = context.createCq(10);
    SharedReceiveQueue srq = pd.createSrq(SrqAttr.of(10, 1));
    gone.close();
    srq.close();

    assertRefused(EINVAL, () -> pd.createQp(new QpInitAttr(QpType.RC, gone, cq, null, CAP, false)));
    assertRefused(EINVAL, () -> pd.createQp(QpInitAttr.rc(cq, CAP).withSrq(srq)));
  }

  @Test
  void aQueuePairMayShareTheReceivesOfAnotherDomain() {
    SharedReceiveQueue srq = pd.createSrq(SrqAttr.of(10, 1));
    QueuePair qp = context.allocPd().createQp(QpInitAttr.rc(cq, CAP).withSrq(srq));

    assertThat(qp.initAttr().srq()).isSameAs(srq);
    assertRefused(EBUSY, srq::close);
    qp.close();
    srq.close();
  }

  @Test
  void aSharedReceiveQueueHasTheSizeOfTheDeviceAtMostAndCanGrow() {
    int max = (int) context.queryDevice().limit(DeviceLimit.MAX_SRQ_WR);
    SharedReceiveQueue srq = pd.createSrq(SrqAttr.of(200, 1));

    assertRefused(EINVAL, () -> pd.createSrq(SrqAttr.of(max + 1, 1)));
    srq.modify(SrqAttr.of(max, 1), EnumSet.of(SrqAttrMask.MAX_WR));
    assertThat(srq.query().maxWr()).isEqualTo(max);
  }

  @Test
  void aNewQueuePairIsWhatWasAskedFor() {
    QpInitAttr asked = new QpInitAttr(QpType.RC, cq, context.createCq(10), null, CAP, false);
    QueuePair qp = pd.createQp(asked);

    assertThat(qp.pd()).isSameAs(pd);
    assertThat(qp.initAttr()).isEqualTo(asked);
    assertRefused(Errno.EOPNOTSUPP, () -> create(QpType.DRIVER));
  }

  @ParameterizedTest
  @ValueSource(ints = {36, 96, 216, 512})
  void inlineDataIsGrantedUpTo512Bytes(int bytes) {
    QueuePair qp = pd.createQp(QpInitAttr.rc(cq, new QpCap(10, 1, 1, 1, bytes)));

    assertThat(qp.query().cap().maxInlineData()).isGreaterThanOrEqualTo(bytes);
    assertRefused(EINVAL, () -> pd.createQp(QpInitAttr.rc(cq, new QpCap(10, 1, 1, 1, 513))));
  }

  @Test
  void aQueuePairForDatagramsTakesAnyQkeyAndPromisesNoOrderOfBytes() {
    QueuePair qp = create(QpType.UD);

    qp.modify(QpAttr.to(QpState.INIT).portNum(1).pkeyIndex(0).qkey(0x8000_0000));
    assertThat(qp.query().qkey()).isEqualTo(0x8000_0000);
    assertThat(qp.queryDataInOrder(WrOpcode.SEND)).isEmpty();
  }

  @Test
  void aDeviceSaysWhatItCanDo() {
    DeviceAttr attr = context.queryDevice();

    assertThat(List.of(attr.nodeGuid(), attr.sysImageGuid(), (long) attr.vendorId()))
        .doesNotContain(0L);
    assertThat(attr.limit(DeviceLimit.MAX_MR_SIZE)).isGreaterThan(4096);
    assertThat(attr.limit(DeviceLimit.PAGE_SIZE_CAP)).isGreaterThanOrEqualTo(4096);
    for (DeviceLimit limit :
        List.of(
            DeviceLimit.MAX_QP,
            DeviceLimit.MAX_QP_WR,
            DeviceLimit.MAX_SGE,
            DeviceLimit.MAX_CQ,
            DeviceLimit.MAX_CQE,
            DeviceLimit.MAX_MR,
            DeviceLimit.MAX_PD,
            DeviceLimit.MAX_PKEYS)) {
      assertThat(attr.limit(limit)).as(limit.fieldName()).isPositive();
    }
  }
}
