// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.ThreadDomain;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Thread domains and parent domains: ibv_alloc_td(3), ibv_alloc_parent_domain(3). */
final class DomainTest {
  private static final QpCap CAP = new QpCap(4, 4, 1, 1, 0);

  @AutoClose private final Emulator emulator = Emulator.inMemory();
  private final Context context = emulator.addDevice("10.0.0.1").open();
  private final ProtectionDomain pd = context.allocPd();
  private final ThreadDomain td = context.allocTd();

  @Test
  void bothDomainsAreBusyWhileAParentDomainUsesThem() {
    ProtectionDomain parent = context.allocParentDomain(pd, td);

    assertThat(td.context()).isSameAs(context);
    assertThat(Errnos.of(td::close)).isEqualTo(Errno.EBUSY);
    assertThat(Errnos.of(pd::close)).isEqualTo(Errno.EBUSY);

    parent.close();
    td.close();
    pd.close();
  }

  @Test
  void aParentDomainIsBusyWhileSomethingWasCreatedInIt() {
    ProtectionDomain parent = context.allocParentDomain(pd, td);
    CompletionQueue cq = context.createCq(4);
    for (AutoCloseable user :
        List.of(
            TestEndpoint.registerIn(parent, 64, TestEndpoint.ALL_RIGHTS),
            parent.createQp(QpInitAttr.rc(cq, CAP)),
            parent.createSrq(SrqAttr.of(4, 1)),
            parent.createAh(AhAttr.to(context.queryGid(1, 0))))) {
      assertThat(Errnos.of(parent::close)).isEqualTo(Errno.EBUSY);
      assertThat(Errnos.of(user::close)).isNull();
    }

    parent.close();
  }

  @Test
  void objectsOfBothDomainsCanBeUsedTogether() {
    ProtectionDomain parent = context.allocParentDomain(pd, td);
    CompletionQueue cq = context.createCq(8);
    MemoryRegion real = TestEndpoint.registerIn(pd, 64, TestEndpoint.ALL_RIGHTS);
    MemoryRegion own = TestEndpoint.registerIn(parent, 64, TestEndpoint.ALL_RIGHTS);
    SharedReceiveQueue srq = parent.createSrq(SrqAttr.of(4, 1));
    QueuePair sender = parent.createQp(QpInitAttr.rc(cq, CAP));
    QueuePair receiver = pd.createQp(QpInitAttr.rc(cq, CAP).withSrq(srq));
    Emulator.connect(sender, receiver);
    Bytes.into(real, 0, Bytes.fill(64, 'r'));

    srq.postRecv(RecvWr.of(1, own.sge()));
    sender.postSend(SendWr.send(2, real.sge()));

    assertThat(Outcomes.of(List.of(emulator.await(cq), emulator.await(cq))))
        .containsExactly("1 RECV 64", "2 SEND");
    assertThat(Bytes.in(own, 0, 64)).isEqualTo(Bytes.fill(64, 'r'));
  }

  @Test
  void aParentDomainNeedsADomainThatIsNone() {
    ProtectionDomain parent = context.allocParentDomain(pd, null);
    Context other = emulator.addDevice("10.0.0.2").open();
    ProtectionDomain foreign = other.allocPd();
    ThreadDomain foreignThread = other.allocTd();

    assertThat(Errnos.of(() -> context.allocParentDomain(null, td))).isEqualTo(Errno.EINVAL);
    assertThat(Errnos.of(() -> context.allocParentDomain(parent, td))).isEqualTo(Errno.EINVAL);
    assertThat(Errnos.of(() -> context.allocParentDomain(foreign, td))).isEqualTo(Errno.EINVAL);
    assertThat(Errnos.of(() -> context.allocParentDomain(pd, foreignThread)))
        .isEqualTo(Errno.EINVAL);
  }

  @Test
  void aParentDomainIsNoneOfTheDomainsThatAreLimited() {
    DeviceProfile one = DeviceProfile.standard().withLimit(DeviceLimit.MAX_PD, 1);
    Context limited = emulator.addDevice(one, "10.0.0.2").open();
    ProtectionDomain only = limited.allocPd();
    limited.allocParentDomain(only, null).close();

    assertThat(Errnos.of(limited::allocPd)).isEqualTo(Errno.ENOMEM);
    only.close();
    assertThat(Errnos.of(limited::allocPd)).isNull();
  }
}
