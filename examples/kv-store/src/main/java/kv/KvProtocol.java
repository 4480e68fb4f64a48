// SPDX-License-Identifier: Apache-2.0
package kv;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import java.util.Set;

/** Layout of messages and slots, and the way to RTS, for both sides. */
final class KvProtocol {
  static final int MSG = 256;

  static final int CREDITS = 4;

  /** A slot: counter 8, version 4, length 4, value. */
  static final int SLOT = 256;

  static final int HEADER = 16;
  static final byte LOOKUP = 1;

  static final byte PUT_DONE = 2;

  static final byte LOOKED_UP = 3;

  static final byte FULL = 4;

  private KvProtocol() {}

  static void init(QueuePair qp, Set<AccessFlag> access) {
    qp.modify(QpAttr.to(QpState.INIT).pkeyIndex(0).portNum(1).qpAccessFlags(access));
  }

  static void connect(QueuePair qp, int localPsn, KvEndpoint peer) {
    qp.modify(
        QpAttr.to(QpState.RTR)
            .ahAttr(AhAttr.to(peer.gid()))
            .pathMtu(Mtu.MTU_1024)
            .destQpNum(peer.qpn())
            .rqPsn(peer.psn())
            .maxDestRdAtomic(4)
            .minRnrTimer(12));
    qp.modify(
        QpAttr.to(QpState.RTS).sqPsn(localPsn).timeout(14).retryCnt(7).rnrRetry(3).maxRdAtomic(4));
  }
}
