// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import java.util.EnumSet;
import java.util.Set;

/** The attributes that each type of queue pair needs on its way from RESET to RTS. */
public final class Attributes {
  /** Rights for writes, reads and atomics, of the memory and of the queue pair. */
  public static final Set<AccessFlag> DATA_RIGHTS =
      EnumSet.of(
          AccessFlag.LOCAL_WRITE,
          AccessFlag.REMOTE_WRITE,
          AccessFlag.REMOTE_READ,
          AccessFlag.REMOTE_ATOMIC);

  public static final int QKEY = 0x1111;
  public static final int RETRY_CNT = 3;
  public static final int RNR_RETRY = 3;

  private static final int TIMEOUT = 14;
  private static final int MIN_RNR_TIMER = 12;
  private static final int READS = 4;

  private Attributes() {}

  /**
   * Brings a queue pair from RESET to RTS.
   *
   * @param peer and its queue pair's number do not matter to types without a connection
   * @param psn the first PSN of both directions
   */
  public static void connect(QueuePair qp, Gid peer, int peerQpn, int psn) {
    QpType type = qp.initAttr().qpType();
    qp.modify(init(type));
    qp.modify(rtr(type, peer, peerQpn, psn));
    qp.modify(rts(type, psn));
  }

  public static QpAttr init(QpType type) {
    QpAttr attr = QpAttr.to(QpState.INIT).portNum(1);
    return switch (type) {
      case RC, UC, XRC_SEND, XRC_RECV ->
          attr.pkeyIndex(0).qpAccessFlags(AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE);
      case UD -> attr.pkeyIndex(0).qkey(QKEY);
      case RAW_PACKET, DRIVER -> attr;
    };
  }

  public static QpAttr rtr(QpType type, Gid peer, int peerQpn, int psn) {
    QpAttr attr = QpAttr.to(QpState.RTR);
    return switch (type) {
      case RC, XRC_RECV ->
          path(attr, peer, peerQpn, psn).minRnrTimer(MIN_RNR_TIMER).maxDestRdAtomic(READS);
      case UC, XRC_SEND -> path(attr, peer, peerQpn, psn);
      case UD, RAW_PACKET, DRIVER -> attr;
    };
  }

  private static QpAttr path(QpAttr attr, Gid peer, int peerQpn, int psn) {
    return attr.ahAttr(AhAttr.to(peer)).pathMtu(Mtu.MTU_1024).destQpNum(peerQpn).rqPsn(psn);
  }

  public static QpAttr rts(QpType type, int psn) {
    QpAttr attr = QpAttr.to(QpState.RTS);
    return switch (type) {
      case RC, XRC_SEND ->
          attr.sqPsn(psn)
              .timeout(TIMEOUT)
              .retryCnt(RETRY_CNT)
              .rnrRetry(RNR_RETRY)
              .maxRdAtomic(READS);
      case XRC_RECV -> attr.sqPsn(psn).timeout(TIMEOUT);
      case UC, UD -> attr.sqPsn(psn);
      case RAW_PACKET, DRIVER -> attr;
    };
  }
}
