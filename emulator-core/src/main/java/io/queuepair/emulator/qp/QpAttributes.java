package io.queuepair.emulator.qp;

import io.queuepair.emulator.wire.Psn;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpAttrMask;
import java.util.Set;

/** The attributes of one queue pair as they were last set. */
public final class QpAttributes {
  private Set<AccessFlag> accessFlags = Set.of();
  private int pkeyIndex;
  private int portNum;
  private AhAttr ahAttr;
  private Mtu pathMtu;
  private int timeout;
  private int retryCnt;
  private int rnrRetry;
  private int rqPsn;
  private int maxRdAtomic;
  private int minRnrTimer;
  private int sqPsn;
  private int maxDestRdAtomic;
  private int destQpNum;
  private int qkey;

  /** Takes over the attributes of a checked call. */
  public void apply(QpAttr attr, Set<QpAttrMask> mask) {
    for (QpAttrMask attribute : mask) {
      apply(attribute, attr);
    }
  }

  private void apply(QpAttrMask attribute, QpAttr attr) {
    switch (attribute) {
      case ACCESS_FLAGS -> accessFlags = attr.accessFlags();
      case PKEY_INDEX -> pkeyIndex = attr.pkeyIndex();
      case PORT -> portNum = attr.portNum();
      case AV -> ahAttr = attr.ahAttr();
      case PATH_MTU -> pathMtu = attr.pathMtu();
      case TIMEOUT -> timeout = attr.timeout();
      case RETRY_CNT -> retryCnt = attr.retryCnt();
      case RNR_RETRY -> rnrRetry = attr.rnrRetry();
      case RQ_PSN -> rqPsn = attr.rqPsn() & Psn.MASK;
      case MAX_QP_RD_ATOMIC -> maxRdAtomic = attr.maxRdAtomic();
      case MIN_RNR_TIMER -> minRnrTimer = attr.minRnrTimer();
      case SQ_PSN -> sqPsn = attr.sqPsn() & Psn.MASK;
      case MAX_DEST_RD_ATOMIC -> maxDestRdAtomic = attr.maxDestRdAtomic();
      case DEST_QPN -> destQpNum = attr.destQpNum();
      case QKEY -> qkey = attr.qkey();
      case STATE, CUR_STATE, EN_SQD_ASYNC_NOTIFY, ALT_PATH, PATH_MIG_STATE, CAP, RATE_LIMIT -> {}
    }
  }

  /** A copy with all of them; the PSNs are those set, not those reached. */
  public QpAttr toQpAttr() {
    return new QpAttr()
        .accessFlags(accessFlags)
        .pkeyIndex(pkeyIndex)
        .portNum(portNum)
        .ahAttr(ahAttr)
        .pathMtu(pathMtu)
        .timeout(timeout)
        .retryCnt(retryCnt)
        .rnrRetry(rnrRetry)
        .rqPsn(rqPsn)
        .maxRdAtomic(maxRdAtomic)
        .minRnrTimer(minRnrTimer)
        .sqPsn(sqPsn)
        .maxDestRdAtomic(maxDestRdAtomic)
        .destQpNum(destQpNum)
        .qkey(qkey);
  }

  public Set<AccessFlag> accessFlags() {
    return accessFlags;
  }

  public int pkeyIndex() {
    return pkeyIndex;
  }

  int portNum() {
    return portNum;
  }

  public AhAttr ahAttr() {
    return ahAttr;
  }

  public int mtuBytes() {
    return pathMtu.bytes();
  }

  public int timeout() {
    return timeout;
  }

  public int retryCnt() {
    return retryCnt;
  }

  public int rnrRetry() {
    return rnrRetry;
  }

  public int rqPsn() {
    return rqPsn;
  }

  public int maxRdAtomic() {
    return maxRdAtomic;
  }

  public int minRnrTimer() {
    return minRnrTimer;
  }

  public int sqPsn() {
    return sqPsn;
  }

  public int maxDestRdAtomic() {
    return maxDestRdAtomic;
  }

  public int destQpNum() {
    return destQpNum;
  }

  public int qkey() {
    return qkey;
  }
}
