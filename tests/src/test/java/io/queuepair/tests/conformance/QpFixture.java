// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.AlternatePath;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.MigState;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.UdWr;
import io.queuepair.verbs.WorkCompletion;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** A device with two ports that makes queue pairs of any type in any state can be brought about. */
final class QpFixture implements AutoCloseable {
  /** Null on a device of the system. */
  private final Emulator emulator;

  private final Context context;
  private final ProtectionDomain pd;
  private final CompletionQueue cq;
  private final Context peer;

  QpFixture(DeviceProfile profile) {
    SystemDevice.skipUnless(LinkForm.OBJECTS, profile);
    emulator = SystemDevice.isNamed() ? null : Emulator.inMemory();
    List<String> port2 = profile.ports() < 2 ? List.of() : List.of("10.0.1.1");
    if (emulator == null) {
      context = SystemDevice.device().open();
      peer = SystemDevice.device().open();
    } else {
      context = emulator.addDevice(profile, List.of("10.0.0.1"), port2).open();
      peer = emulator.addDevice("10.0.0.2").open();
    }
    pd = context.allocPd();
    cq = context.createCq(64);
  }

  static QpFixture standard() {
    return new QpFixture(DeviceProfile.standard());
  }

  Context context() {
    return context;
  }

  ProtectionDomain pd() {
    return pd;
  }

  QueuePair queuePair(QpType type) {
    return queuePair(type, new QpCap(16, 16, 4, 4, 64));
  }

  QueuePair queuePair(QpType type, QpCap cap) {
    return type == QpType.XRC_RECV
        ? context.openXrcd().createQp()
        : pd.createQp(QpInitAttr.of(type, cq, cap));
  }

  /** A fresh queue pair in that state. A failed send leads to SQE. */
  QueuePair queuePairIn(QpType type, QpState state) {
    if (state == QpState.SQE) {
      return afterFailedSend(queuePairIn(type, QpState.RTS));
    }
    QueuePair qp = queuePair(type);
    for (QpState step : wayTo(state)) {
      qp.modify(valid().qpState(step), TransitionRule.of(type, qp.query().qpState(), step).mask());
    }
    return qp;
  }

  /** One in ERR, whose sends complete in the moment in which they are posted. */
  QueuePair flushing(CompletionQueue ofSends) {
    QueuePair qp = pd.createQp(QpInitAttr.rc(ofSends, QpCap.of(16)));
    qp.modify(QpAttr.to(QpState.ERR));
    return qp;
  }

  /** Posts sends that complete as these. */
  static void flush(QueuePair inErr, int fromWrId, int toWrId) {
    IntStream.rangeClosed(fromWrId, toWrId).forEach(wrId -> inErr.postSend(SendWr.send(wrId)));
  }

  private QueuePair afterFailedSend(QueuePair qp) {
    SendWr broken = SendWr.send(1, new Sge(0, 1, 0xbad));
    boolean isUd = qp.initAttr().qpType() == QpType.UD;
    qp.postSend(isUd ? new UdWr(broken, pd.createAh(address()), 1, 1) : broken);
    WorkCompletion failed = emulator == null ? SystemDevice.await(cq) : emulator.await(cq);
    assertThat(failed.isSuccess()).isFalse();
    return qp;
  }

  private static List<QpState> wayTo(QpState state) {
    return switch (state) {
      case RESET -> List.of();
      case INIT -> List.of(QpState.INIT);
      case RTR -> List.of(QpState.INIT, QpState.RTR);
      case RTS -> List.of(QpState.INIT, QpState.RTR, QpState.RTS);
      case SQD -> List.of(QpState.INIT, QpState.RTR, QpState.RTS, QpState.SQD);
      case ERR -> List.of(QpState.INIT, QpState.ERR);
      case SQE, UNKNOWN -> throw new IllegalArgumentException("no call leads to " + state);
    };
  }

  AhAttr address() {
    return AhAttr.to(peer.queryGid(1, 0));
  }

  /** Values for every attribute but the states, all in range. */
  QpAttr valid() {
    return new QpAttr()
        .enSqdAsyncNotify(true)
        .qpAccessFlags(AccessFlag.REMOTE_WRITE)
        .pkeyIndex(0)
        .portNum(1)
        .qkey(0x1111)
        .ahAttr(address())
        .pathMtu(Mtu.MTU_512)
        .timeout(10)
        .retryCnt(5)
        .rnrRetry(5)
        .rqPsn(11)
        .maxRdAtomic(2)
        .altPath(AlternatePath.to(address(), 9))
        .minRnrTimer(3)
        .sqPsn(12)
        .maxDestRdAtomic(2)
        .pathMigState(MigState.REARM)
        .cap(new QpCap(32, 32, 2, 2, 32))
        .destQpNum(0x77)
        .rateLimit(1000);
  }

  /** Takes a connection from a state to the next, with one change to valid attributes. */
  void modify(QueuePair qp, QpState from, UnaryOperator<QpAttr> change) {
    QpState to = QpState.values()[from.ordinal() + 1];
    qp.modify(change.apply(valid(from, to)), TransitionRule.of(QpType.RC, from, to).mask());
  }

  /** Makes valid attributes of a transition. */
  QpAttr valid(QpState from, QpState to) {
    return valid().curQpState(from).qpState(to);
  }

  @Override
  public void close() {
    if (emulator == null) {
      context.close();
      peer.close();
    } else {
      emulator.close();
    }
  }
}
