// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.tests.conformance.Errnos;
import io.queuepair.tests.conformance.TestEndpoint;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import java.nio.ByteBuffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Protection domains and address handles: making, destroying, and what keeps them. */
final class DomainCasesTest {
  private static final QpCap CAP = new QpCap(10, 1, 1, 1, 36);
  private static final int LIMIT = 50;

  @AutoClose private final Emulator emulator = Emulator.inMemory();

  private final Context context =
      emulator
          .addDevice(
              DeviceProfile.standard()
                  .withLimit(DeviceLimit.MAX_PD, LIMIT)
                  .withLimit(DeviceLimit.MAX_AH, LIMIT)
                  .withLimit(DeviceLimit.MAX_MR, LIMIT)
                  .withLimit(DeviceLimit.MAX_SRQ, LIMIT),
              "10.0.0.1")
          .open();

  private final ProtectionDomain pd = context.allocPd();
  private final CompletionQueue cq = context.createCq(10);
  private final AhAttr ownAddress = AhAttr.to(context.queryGid(1, 0));

  /** The domain is busy as long as the object is there. */
  private void assertKept(ProtectionDomain domain, AutoCloseable user) throws Exception {
    assertThat(Errnos.of(domain::close)).isEqualTo(Errno.EBUSY);
    user.close();
    domain.close();
  }

  /** So many can be made, one less of those that exist, and no more. */
  private void assertLimit(int left, ThrowingCallable make) {
    for (int i = 0; i < left; i++) {
      assertThat(Errnos.of(make)).isNull();
    }
    assertThat(Errnos.of(make)).isEqualTo(Errno.ENOMEM);
  }

  @Test
  @Tag("GUT-ah_test-AhTest.CreateAndDestroy")
  @Tag("test_addr.AHTest.test_create_ah")
  @Tag("PYV-addr-AHTest.destroy_ah")
  void anAddressHandleBelongsToItsDomain() {
    GlobalRoute route = new GlobalRoute(context.queryGid(1, 0), 0, 0, 127, 0);
    AddressHandle ah = pd.createAh(new AhAttr(route, 5, 1));

    assertThat(ah.pd()).isSameAs(pd);
    assertThat(ah.pd().context()).isSameAs(context);
    ah.close();
  }

  @Test
  @Tag("PYV-addr-AHTest.create_ah_roce")
  void anAddressHandleNeedsAGlobalRoute() {
    assertThat(Errnos.of(() -> pd.createAh(new AhAttr(null, 0, 1)))).isEqualTo(Errno.EINVAL);
  }

  @Test
  @Tag("PYV-pd-PDTest.alloc_dealloc")
  @Tag("test_pd.PDTest.test_alloc_pd")
  @Tag("test_pd.PDTest.test_dealloc_pd")
  @Tag("test_pd.PDTest.test_multiple_pd_creation")
  void domainsComeAndGo() {
    for (int i = 0; i < 200; i++) {
      ProtectionDomain fresh = context.allocPd();
      assertThat(fresh.context()).isSameAs(context);
      fresh.close();
    }
  }

  @Test
  @Tag("test_pd.PDTest.test_destroy_pd_twice")
  void theSecondEndOfADomainIsNothing() {
    pd.close();

    assertThat(Errnos.of(pd::close)).isNull();
  }

  @Test
  @Tag("GUT-pd_test-PdTest.AhRefCount")
  void anAddressHandleKeepsItsDomain() throws Exception {
    assertKept(pd, pd.createAh(ownAddress));
  }

  @Test
  @Tag("GUT-pd_test-PdTest.QpRefCount")
  @Tag("GUT-qp_test-QpTest.DeallocPdWithOutstandingQp")
  void aQueuePairKeepsItsDomain() throws Exception {
    assertKept(pd, pd.createQp(QpInitAttr.rc(cq, CAP)));
  }

  @Test
  @Tag("GUT-pd_test-PdTest.SrqRefCount")
  void aSharedReceiveQueueKeepsItsDomain() throws Exception {
    assertKept(pd, pd.createSrq(SrqAttr.of(10, 1)));
  }

  @Test
  void aRegionKeepsItsDomain() throws Exception {
    assertKept(pd, TestEndpoint.registerIn(pd, 64, ConnectedPair.ALL_RIGHTS));
  }

  @Test
  @Tag("GUT-pd_test-PdTest.AllocQpWithInvalidPd")
  @Tag("GUT-pd_test-PdTest.AllocMrWithInvalidPd")
  void nothingCanBeMadeInADomainThatIsGone() {
    pd.close();

    assertThat(Errnos.of(() -> pd.createQp(QpInitAttr.rc(cq, CAP)))).isEqualTo(Errno.EINVAL);
    assertThat(Errnos.of(() -> TestEndpoint.registerIn(pd, 64, ConnectedPair.ALL_RIGHTS)))
        .isEqualTo(Errno.EINVAL);
    assertThat(Errnos.of(() -> pd.createAh(ownAddress))).isEqualTo(Errno.EINVAL);
    assertThat(Errnos.of(() -> pd.createSrq(SrqAttr.of(1, 1)))).isEqualTo(Errno.EINVAL);
  }

  @Test
  @Tag("GUT-qp_test-QpTest.CreateWithInvalidSrq")
  void aSharedReceiveQueueThatIsGoneCannotBeUsed() {
    SharedReceiveQueue gone = pd.createSrq(SrqAttr.of(10, 1));
    gone.close();

    assertThat(Errnos.of(() -> pd.createQp(QpInitAttr.rc(cq, CAP).withSrq(gone))))
        .isEqualTo(Errno.EINVAL);
  }

  @Test
  @Tag("GUT-pd_test-PdSrqTest.CreateSrq")
  void aQueuePairMayShareTheReceivesOfAnotherDomain() {
    SharedReceiveQueue srq = pd.createSrq(SrqAttr.of(10, 1));

    QueuePair qp = context.allocPd().createQp(QpInitAttr.rc(cq, CAP).withSrq(srq));

    assertThat(qp.initAttr().srq()).isSameAs(srq);
  }

  @Test
  @Tag("GUT-device_test-DeviceLimitTest.MaxPd")
  void domainsAreLimited() {
    assertLimit(LIMIT - 1, context::allocPd);
    pd.close();
    assertLimit(1, context::allocPd);
  }

  @Test
  @Tag("GUT-device_test-DeviceLimitTest.MaxAh")
  void addressHandlesAreLimited() {
    AddressHandle first = pd.createAh(ownAddress);
    assertLimit(LIMIT - 1, () -> pd.createAh(ownAddress));
    first.close();
    assertLimit(1, () -> pd.createAh(ownAddress));
  }

  @Test
  @Tag("GUT-device_test-DeviceLimitTest.MaxMr")
  void regionsOfTheSameMemoryAreLimited() {
    ByteBuffer memory = ByteBuffer.allocateDirect(ConnectedPair.PAGE);
    MemoryRegion first = pd.regMr(memory, ConnectedPair.ALL_RIGHTS);
    assertLimit(LIMIT - 1, () -> pd.regMr(memory, ConnectedPair.ALL_RIGHTS));
    first.close();
    assertLimit(1, () -> pd.regMr(memory, ConnectedPair.ALL_RIGHTS));
  }

  @Test
  @Tag("GUT-device_test-DeviceLimitTest.MaxSrq")
  void sharedReceiveQueuesAreLimited() {
    SharedReceiveQueue first = pd.createSrq(SrqAttr.of(1, 1));
    assertLimit(LIMIT - 1, () -> pd.createSrq(SrqAttr.of(1, 1)));
    first.close();
    assertLimit(1, () -> pd.createSrq(SrqAttr.of(1, 1)));
  }
}
