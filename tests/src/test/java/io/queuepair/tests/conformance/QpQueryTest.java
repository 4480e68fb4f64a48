// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AlternatePath;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.MigState;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SrqAttr;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A query returns every attribute as it was set. */
final class QpQueryTest {
  @AutoClose private final QpFixture bench = QpFixture.standard();

  @Test
  void returnsWhatAConnectionWasGiven() {
    QueuePair qp = bench.queuePairIn(QpType.RC, QpState.RTS);
    AlternatePath path = new AlternatePath(bench.address().fromPort(2), 0, 2, 9);
    qp.modify(new QpAttr().altPath(path).pathMigState(MigState.REARM));

    QpAttr attr = qp.query();

    assertThat(attr.qpState()).isEqualTo(QpState.RTS);
    assertThat(attr.curQpState()).isEqualTo(QpState.RTS);
    assertThat(attr.qpAccessFlags()).containsExactly(AccessFlag.REMOTE_WRITE);
    assertThat(attr.portNum()).isEqualTo(1);
    assertThat(attr.ahAttr()).isEqualTo(bench.address());
    assertThat(attr.pathMtu()).isEqualTo(Mtu.MTU_512);
    assertThat(attr.destQpNum()).isEqualTo(0x77);
    assertThat(attr.rqPsn()).isEqualTo(11);
    assertThat(attr.sqPsn()).isEqualTo(12);
    assertThat(attr.timeout()).isEqualTo(10);
    assertThat(attr.retryCnt()).isEqualTo(5);
    assertThat(attr.rnrRetry()).isEqualTo(5);
    assertThat(attr.minRnrTimer()).isEqualTo(3);
    assertThat(attr.maxRdAtomic()).isEqualTo(2);
    assertThat(attr.maxDestRdAtomic()).isEqualTo(2);
    assertThat(attr.altPath()).isEqualTo(path);
    assertThat(attr.pathMigState()).isEqualTo(MigState.REARM);
    assertThat(attr.cap()).isEqualTo(new QpCap(16, 16, 4, 4, 64));
    assertThat(attr.sqDraining()).isFalse();
  }

  @Test
  void returnsTheQkeyOfADatagramQueuePair() {
    QueuePair qp = bench.queuePairIn(QpType.UD, QpState.RTS);

    qp.modify(new QpAttr().qkey(0x8000_0001));

    assertThat(qp.query().qkey()).isEqualTo(0x8000_0001);
  }

  @Test
  void theWishForAnEventIsThatOfTheLastWayIntoSqd() {
    QueuePair qp = bench.queuePairIn(QpType.UC, QpState.RTS);

    qp.modify(QpAttr.to(QpState.SQD).enSqdAsyncNotify(true));
    assertThat(qp.query().enSqdAsyncNotify()).isTrue();

    qp.modify(QpAttr.to(QpState.RTS));
    qp.modify(QpAttr.to(QpState.SQD));
    assertThat(qp.query().enSqdAsyncNotify()).isFalse();
  }

  @Test
  void resetForgetsEverythingButTheCapacities() {
    QueuePair fresh = bench.queuePair(QpType.RC);
    QueuePair used = bench.queuePairIn(QpType.RC, QpState.SQD);
    used.modify(
        new QpAttr().altPath(AlternatePath.to(bench.address(), 9)).pathMigState(MigState.REARM));

    used.modify(QpAttr.to(QpState.RESET));

    assertThat(used.query()).hasToString(fresh.query().toString());
  }

  @Test
  void changesInSqdShow() {
    QueuePair qp = bench.queuePairIn(QpType.RC, QpState.SQD);

    qp.modify(
        new QpAttr()
            .portNum(2)
            .ahAttr(bench.address().fromPort(2))
            .qpAccessFlags(AccessFlag.REMOTE_READ)
            .timeout(20)
            .retryCnt(1)
            .rnrRetry(2)
            .maxRdAtomic(9)
            .maxDestRdAtomic(10)
            .minRnrTimer(30));

    QpAttr attr = qp.query();
    assertThat(attr.portNum()).isEqualTo(2);
    assertThat(attr.ahAttr()).isEqualTo(bench.address().fromPort(2));
    assertThat(attr.qpAccessFlags()).containsExactly(AccessFlag.REMOTE_READ);
    assertThat(attr.timeout()).isEqualTo(20);
    assertThat(attr.retryCnt()).isEqualTo(1);
    assertThat(attr.rnrRetry()).isEqualTo(2);
    assertThat(attr.maxRdAtomic()).isEqualTo(9);
    assertThat(attr.maxDestRdAtomic()).isEqualTo(10);
    assertThat(attr.minRnrTimer()).isEqualTo(30);
  }

  @Test
  void oneWithoutReceivesOfItsOwnHasNoRoomForAny() {
    CompletionQueue cq = bench.context().createCq(4);
    QpInitAttr shared =
        QpInitAttr.rc(cq, new QpCap(4, 4, 1, 1, 0))
            .withSrq(bench.pd().createSrq(new SrqAttr(4, 1, 0)));
    QueuePair qp = bench.pd().createQp(shared);
    assertThat(qp.query().cap()).isEqualTo(new QpCap(4, 0, 1, 0, 0));

    qp.modify(QpAttr.to(QpState.INIT).portNum(1).pkeyIndex(0).qpAccessFlags(Set.of()));
    qp.modify(new QpAttr().cap(new QpCap(8, 8, 1, 1, 0)));

    assertThat(qp.query().cap()).isEqualTo(new QpCap(8, 0, 1, 0, 0));
    QueuePair xrc = bench.pd().createQp(QpInitAttr.of(QpType.XRC_SEND, cq, QpCap.of(8)));
    assertThat(xrc.query().cap().maxRecvWr()).isZero();
  }
}
