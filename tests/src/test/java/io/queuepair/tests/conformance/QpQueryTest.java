// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AlternatePath;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MigState;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.UdWr;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A query returns every attribute as it was set. The PSNs are those of the next packets, however
 * the queue pair has come into its state; so it is recorded of Linux Soft-RoCE.
 */
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

  private static final int BYTES = 8;

  /** The device that does what the documents say, or that of Linux. */
  enum Kind {
    STANDARD(DeviceProfile.standard()),
    SOFT_ROCE(DeviceProfile.softRoce());

    private final DeviceProfile profile;

    Kind(DeviceProfile profile) {
      this.profile = profile;
    }
  }

  private static Pair connected(Kind kind, QpType type) {
    return Pair.on(LinkForm.OBJECTS).profile(kind.profile).type(type).connect();
  }

  private static void write(Pair pair, int keyError) {
    MemoryRegion target = pair.b().region();
    int rkey = target.rkey() ^ keyError;
    pair.a()
        .qp()
        .postSend(SendWr.rdmaWrite(1, target.addr(), rkey, pair.a().region().sge(0, BYTES)));
    pair.drain();
  }

  private static void assertPsns(TestEndpoint endpoint, int sqPsn, int rqPsn) {
    QpAttr attr = endpoint.qp().query();
    assertThat(attr.sqPsn()).as("sq_psn").isEqualTo(sqPsn);
    assertThat(attr.rqPsn()).as("rq_psn").isEqualTo(rqPsn);
  }

  /** As recorded: a message that is dropped without notice does not count, the next one does. */
  @ParameterizedTest
  @EnumSource
  void showsThePsnBehindTheLastUnreliableMessageThatWasTaken(Kind kind) {
    try (Pair pair = connected(kind, QpType.UC)) {
      write(pair, 0);
      write(pair, 1);
      assertPsns(pair.b(), Pair.PSN_B, Pair.PSN_A + 1);

      write(pair, 0);
      assertPsns(pair.b(), Pair.PSN_B, Pair.PSN_A + 3);
    }
  }

  /** A request that is refused was sent, and is still the one that is expected. */
  @ParameterizedTest
  @EnumSource
  void showsHowFarAConnectionHadComeThatFailed(Kind kind) {
    try (Pair pair = connected(kind, QpType.RC)) {
      write(pair, 0);

      write(pair, 1);

      assertThat(pair.a().state()).isEqualTo(QpState.ERR);
      assertPsns(pair.a(), Pair.PSN_A + 2, Pair.PSN_B);
      assertPsns(pair.b(), Pair.PSN_B, Pair.PSN_A + 1);
    }
  }

  /** Attributes that were never set, or that RESET cleared, are 0. */
  @Test
  void showsInErrWhatWasSetSinceReset() {
    try (Pair pair = connected(Kind.STANDARD, QpType.RC)) {
      write(pair, 0);

      pair.b().qp().modify(QpAttr.to(QpState.RESET));
      pair.b().qp().modify(QpAttr.to(QpState.ERR));
      pair.a().qp().modify(QpAttr.to(QpState.RESET));
      pair.a().toInit();
      pair.a().toReadyToReceive(pair.b());
      pair.a().qp().modify(QpAttr.to(QpState.ERR));

      assertPsns(pair.a(), 0, Pair.PSN_B);
      assertPsns(pair.b(), 0, 0);
    }
  }

  @ParameterizedTest
  @EnumSource
  void onlyLinuxShowsThePsnOfTheLastDatagramAndKeepsItThroughReset(Kind kind) {
    int rqPsn = kind == Kind.SOFT_ROCE ? Pair.PSN_A + 1 : 0;
    try (Pair pair = connected(kind, QpType.UD)) {
      TestEndpoint a = pair.a();
      pair.b().qp().postRecv(RecvWr.of(1, pair.b().region().sge()));
      SendWr send = SendWr.send(1, a.region().sge(0, BYTES));
      a.qp().postSend(new UdWr(send, a.ah(), pair.b().qp().qpNum(), TestEndpoint.QKEY));
      pair.drain();
      assertPsns(pair.b(), Pair.PSN_B, rqPsn);

      pair.b().qp().modify(QpAttr.to(QpState.RESET));
      pair.b().toInit();
      pair.b().toReadyToReceive(a);
      pair.b().toReadyToSend();

      assertPsns(pair.b(), Pair.PSN_B, rqPsn);
    }
  }
}
