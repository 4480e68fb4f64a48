// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static io.queuepair.tests.conformance.Errnos.assertEinval;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.Context;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpOpenAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.XrcDomain;
import io.queuepair.verbs.XrcdInitAttr;
import io.queuepair.verbs.XrcdInitAttr.OpenFlag;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * XRC domains and target queue pairs that several contexts share: ibv_open_xrcd(3), ibv_open_qp(3).
 */
final class XrcSharingTest {
  @AutoClose private final XrcLoopback bed = new XrcLoopback();

  private QueuePair openByGuest() {
    return bed.guest()
        .context()
        .openQp(QpOpenAttr.target(bed.guest().xrcd(), bed.target().qpNum()));
  }

  private void send(long wrId, XrcLoopback.XrcEndpoint to) {
    to.srq().postRecv(RecvWr.of(wrId, to.region().sge()));
    bed.initiatorQp()
        .postSend(SendWr.send(wrId, bed.initiator().region().sge(0, 8)).toSrq(to.srq().srqNum()));
  }

  @Test
  void everyHandleModifiesTheSameQueuePair() {
    QueuePair opened = openByGuest();

    assertThat(opened.qpNum()).isEqualTo(bed.target().qpNum());
    assertThat(opened.initAttr().qpType()).isEqualTo(QpType.XRC_RECV);
    opened.modify(QpAttr.to(QpState.ERR));

    assertThat(bed.target().query().qpState()).isEqualTo(QpState.ERR);
  }

  @Test
  void everyHandleGetsTheEvents() {
    openByGuest();

    bed.target().modify(QpAttr.to(QpState.ERR));

    assertThat(bed.owner().events()).containsExactly(EventType.QP_LAST_WQE_REACHED);
    assertThat(bed.guest().events()).containsExactly(EventType.QP_LAST_WQE_REACHED);
  }

  @Test
  void aClosedHandleGetsNoEvents() {
    openByGuest().close();

    bed.target().modify(QpAttr.to(QpState.ERR));

    assertThat(bed.owner().events()).containsExactly(EventType.QP_LAST_WQE_REACHED);
    assertThat(bed.guest().events()).isEmpty();
  }

  @Test
  void theQueuePairLivesAsLongAsAHandle() {
    QueuePair opened = openByGuest();

    bed.target().close();
    send(1, bed.guest());

    assertThat(bed.guest().await(bed.emulator())).isEqualTo("1 RECV 8");
    assertEinval(bed.target()::query);

    opened.close();

    assertEinval(this::openByGuest);
  }

  @Test
  void theQueuePairOutlivesTheContextOfItsCreator() {
    QueuePair opened = openByGuest();

    bed.owner().context().close();
    send(1, bed.guest());

    assertThat(bed.guest().await(bed.emulator())).isEqualTo("1 RECV 8");
    assertThat(opened.query().qpState()).isEqualTo(QpState.RTS);
  }

  /** Annex A14: a request that names a queue of another XRC domain is an invalid request. */
  @Test
  void aTargetDoesNotReachAQueueOfAnotherDomain() {
    XrcDomain elsewhere = bed.owner().context().openXrcd();
    SharedReceiveQueue srq =
        elsewhere.createSrq(bed.owner().pd(), bed.owner().cq(), SrqAttr.of(4, 1));
    srq.postRecv(RecvWr.of(1, bed.owner().region().sge()));

    bed.initiatorQp()
        .postSend(SendWr.send(2, bed.initiator().region().sge(0, 8)).toSrq(srq.srqNum()));

    assertThat(bed.initiator().await(bed.emulator())).isEqualTo("2 REM_INV_REQ_ERR");
    assertThat(bed.owner().cq().poll(1)).isEmpty();
  }

  @Test
  void onlyATargetOfTheDomainCanBeOpened() {
    Context guest = bed.guest().context();
    XrcDomain elsewhere = guest.openXrcd();
    int target = bed.target().qpNum();
    XrcDomain shared = bed.guest().xrcd();

    assertEinval(() -> guest.openQp(QpOpenAttr.target(elsewhere, target)));
    assertEinval(() -> guest.openQp(QpOpenAttr.target(shared, target + 1)));
    assertEinval(() -> guest.openQp(QpOpenAttr.target(null, target)));
    assertEinval(() -> guest.openQp(QpOpenAttr.target(bed.owner().xrcd(), target)));
    assertEinval(() -> guest.openQp(new QpOpenAttr(shared, target, QpType.XRC_SEND)));
  }

  @Test
  void aHandleOfADomainIsBusyWhileSomethingCameFromIt() {
    QueuePair opened = openByGuest();
    bed.guest().srq().close();

    assertThat(Errnos.of(bed.guest().xrcd()::close)).isEqualTo(Errno.EBUSY);
    assertThat(Errnos.of(bed.owner().xrcd()::close)).isEqualTo(Errno.EBUSY);

    opened.close();

    assertThat(Errnos.of(bed.guest().xrcd()::close)).isNull();
  }

  @Test
  void aQueueOfADomainMakesItBusyToo() {
    XrcDomain fresh = bed.owner().context().openXrcd();
    AutoCloseable srq = fresh.createSrq(bed.owner().pd(), bed.owner().cq(), SrqAttr.of(1, 1));

    assertThat(Errnos.of(fresh::close)).isEqualTo(Errno.EBUSY);
    assertThat(Errnos.of(bed.owner().cq()::close)).isEqualTo(Errno.EBUSY);
    assertThat(Errnos.of(srq::close)).isNull();
    assertThat(Errnos.of(fresh::close)).isNull();
  }

  /** As ib_uverbs_open_xrcd of Linux: EAGAIN without O_CREAT, EINVAL for O_EXCL. */
  @Test
  void creationFollowsTheFlags() {
    Context context = bed.owner().context();

    assertThat(Errnos.of(() -> context.openXrcd(XrcdInitAttr.shared("new"))))
        .isEqualTo(Errno.EAGAIN);
    XrcDomain created = context.openXrcd(XrcdInitAttr.shared("new", OpenFlag.CREAT, OpenFlag.EXCL));
    assertEinval(() -> context.openXrcd(XrcdInitAttr.shared("new", OpenFlag.CREAT, OpenFlag.EXCL)));
    context.openXrcd(XrcdInitAttr.shared("new")).close();
    created.close();
    assertThat(Errnos.of(() -> context.openXrcd(XrcdInitAttr.shared("new"))))
        .isEqualTo(Errno.EAGAIN);
  }

  @Test
  void anotherDeviceHasDomainsOfItsOwn() {
    assertEinval(
        () ->
            bed.initiator()
                .context()
                .openQp(QpOpenAttr.target(bed.initiator().xrcd(), bed.target().qpNum())));
  }
}
