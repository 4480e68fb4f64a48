// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.AlternatePath;
import io.queuepair.verbs.MigState;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpState;

/** Queue pairs in every state, and attributes with values that are in range. */
final class QpAttributeSamples {
  private QpAttributeSamples() {}

  /** A pair whose a is in that state, and whose b is in RESET. */
  static Pair pairIn(QpState state) {
    Pair pair = Pair.on(LinkForm.OBJECTS).create();
    switch (state) {
      case INIT -> pair.a().toInit();
      case RTR -> {
        pair.a().toInit();
        pair.a().toReadyToReceive(pair.b());
      }
      case RTS -> {
        pair.a().toInit();
        pair.a().toReadyToReceive(pair.b());
        pair.a().toReadyToSend();
      }
      case ERR -> {
        pair.a().toInit();
        pair.a().qp().modify(QpAttr.to(QpState.ERR));
      }
      default -> {}
    }
    return pair;
  }

  /** Values for every attribute that has a setter. */
  static QpAttr valid(Pair pair) {
    return new QpAttr()
        .enSqdAsyncNotify(true)
        .qpAccessFlags(AccessFlag.REMOTE_WRITE)
        .pkeyIndex(0)
        .portNum(1)
        .qkey(0x1111)
        .ahAttr(AhAttr.to(pair.b().context().queryGid(1, 0)))
        .pathMtu(Mtu.MTU_512)
        .timeout(10)
        .retryCnt(5)
        .rnrRetry(5)
        .rqPsn(11)
        .maxRdAtomic(2)
        .altPath(AlternatePath.to(AhAttr.to(pair.b().context().queryGid(1, 0)), 9))
        .minRnrTimer(3)
        .sqPsn(12)
        .maxDestRdAtomic(2)
        .pathMigState(MigState.MIGRATED)
        .cap(QpCap.of(8))
        .destQpNum(pair.b().qp().qpNum());
  }
}
