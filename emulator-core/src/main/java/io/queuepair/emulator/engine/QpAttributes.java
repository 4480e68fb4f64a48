// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.wire.Psn;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.AlternatePath;
import io.queuepair.verbs.MigState;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpRateLimitAttr;
import io.queuepair.verbs.QpState;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Current attributes of one queue pair. */
public final class QpAttributes {
  private static final int QPN_MASK = 0xff_ffff;
  private static final int RNR_TIMER_MASK = 0x1f;

  private @Nullable Set<AccessFlag> accessFlags;
  private @Nullable QpState curQpState;
  private boolean enSqdAsyncNotify;
  private int pkeyIndex;
  private int portNum;
  private int qkey;
  private @Nullable AhAttr ahAttr;
  private @Nullable Mtu pathMtu;
  private boolean isPathMtuGiven;
  private int timeout;
  private int retryCnt;
  private int rnrRetry;
  private int rqPsn;
  private int maxRdAtomic;
  private @Nullable AlternatePath altPath;
  private int minRnrTimer;
  private int sqPsn;
  private int maxDestRdAtomic;
  private @Nullable MigState pathMigState;
  private int destQpNum;
  private int rateLimit;

  /** Bytes that may leave in one burst above the rate limit. */
  private int maxBurstBytes;

  QpAttributes() {
    clear();
  }

  /** Resets all attributes to their values after creation. */
  public void clear() {
    QpAttr unset = new QpAttr();
    for (QpAttrMask attribute : QpAttrMask.values()) {
      apply(attribute, unset);
    }
    isPathMtuGiven = false;
  }

  /** Applies the masked attributes of a checked {@code ibv_modify_qp}. */
  public void apply(QpAttr attr, Set<QpAttrMask> mask) {
    for (QpAttrMask attribute : mask) {
      apply(attribute, attr);
    }
    isPathMtuGiven |= mask.contains(QpAttrMask.PATH_MTU);
    if (mask.contains(QpAttrMask.STATE) && !mask.contains(QpAttrMask.EN_SQD_ASYNC_NOTIFY)) {
      // EN_SQD_ASYNC_NOTIFY holds for one transition to SQD.
      enSqdAsyncNotify &= attr.qpState() != QpState.SQD;
    }
  }

  private void apply(QpAttrMask attribute, QpAttr attr) {
    switch (attribute) {
      // Linux stores qp_state here, not cur_qp_state.
      case CUR_STATE -> curQpState = attr.qpState();
      case EN_SQD_ASYNC_NOTIFY -> enSqdAsyncNotify = attr.enSqdAsyncNotify();
      case ACCESS_FLAGS -> accessFlags = attr.qpAccessFlags();
      case PKEY_INDEX -> pkeyIndex = attr.pkeyIndex();
      case PORT -> portNum = attr.portNum();
      case QKEY -> qkey = attr.qkey();
      case AV -> ahAttr = attr.ahAttr();
      case PATH_MTU -> pathMtu = attr.pathMtu();
      case TIMEOUT -> timeout = attr.timeout();
      case RETRY_CNT -> retryCnt = attr.retryCnt();
      case RNR_RETRY -> rnrRetry = attr.rnrRetry();
      case RQ_PSN -> rqPsn = attr.rqPsn() & Psn.MASK;
      case MAX_QP_RD_ATOMIC -> maxRdAtomic = attr.maxRdAtomic();
      case ALT_PATH -> altPath = attr.altPath();
      case MIN_RNR_TIMER -> minRnrTimer = attr.minRnrTimer();
      case SQ_PSN -> sqPsn = attr.sqPsn() & Psn.MASK;
      case MAX_DEST_RD_ATOMIC -> maxDestRdAtomic = attr.maxDestRdAtomic();
      case PATH_MIG_STATE -> pathMigState = attr.pathMigState();
      case DEST_QPN -> destQpNum = attr.destQpNum();
      case RATE_LIMIT -> limitRate(QpRateLimitAttr.of(attr.rateLimit()));
      case STATE, CAP -> {} // Kept by {@code QpContext}.
    }
  }

  /** Rounds up to powers of two, as Linux Soft-RoCE does; above 128 a byte becomes 0. */
  public void roundReads() {
    maxRdAtomic = powerOfTwo(maxRdAtomic);
    maxDestRdAtomic = powerOfTwo(maxDestRdAtomic);
  }

  private static int powerOfTwo(int count) {
    return count == 0 ? 0 : Integer.highestOneBit(2 * count - 1) & 0xff;
  }

  /** Makes the alternate path the primary one. */
  void migrate() {
    ahAttr = altPath.ahAttr();
    portNum = altPath.portNum();
    pkeyIndex = altPath.pkeyIndex();
    timeout = altPath.timeout();
    altPath = null;
    pathMigState = MigState.MIGRATED;
  }

  /** Changes REARM to ARMED; only the engine does so, never an application. */
  public void arm() {
    assert pathMigState == MigState.REARM;
    pathMigState = MigState.ARMED;
  }

  /** Copy of all attributes; the PSNs are those set, not the current ones. */
  public QpAttr toQpAttr() {
    return new QpAttr()
        .curQpState(curQpState)
        .enSqdAsyncNotify(enSqdAsyncNotify)
        .qpAccessFlags(accessFlags)
        .pkeyIndex(pkeyIndex)
        .portNum(portNum)
        .qkey(qkey)
        .ahAttr(ahAttr)
        .pathMtu(pathMtu)
        .timeout(timeout)
        .retryCnt(retryCnt)
        .rnrRetry(rnrRetry)
        .rqPsn(rqPsn)
        .maxRdAtomic(maxRdAtomic)
        .altPath(altPath)
        .minRnrTimer(minRnrTimer)
        .sqPsn(sqPsn)
        .maxDestRdAtomic(maxDestRdAtomic)
        .pathMigState(pathMigState)
        .destQpNum(destQpNum)
        .rateLimit(rateLimit);
  }

  public boolean enSqdAsyncNotify() {
    return enSqdAsyncNotify;
  }

  public @Nullable Set<AccessFlag> accessFlags() {
    return accessFlags;
  }

  public int pkeyIndex() {
    return pkeyIndex;
  }

  public int portNum() {
    return portNum;
  }

  public int qkey() {
    return qkey;
  }

  /** The primary path, or null. */
  public @Nullable AhAttr ahAttr() {
    return ahAttr;
  }

  /** Whether PATH_MTU was in a mask; its value may be null, which Linux Soft-RoCE allows. */
  public boolean isPathMtuGiven() {
    return isPathMtuGiven;
  }

  /** Path MTU in bytes; 256 until it is set. */
  public int mtuBytes() {
    return pathMtu == null ? Mtu.MTU_256.bytes() : pathMtu.bytes();
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

  public @Nullable AlternatePath altPath() {
    return altPath;
  }

  /** Minimum RNR NAK timer code, masked to the 5 bits of a packet. */
  public int minRnrTimer() {
    return minRnrTimer & RNR_TIMER_MASK;
  }

  public int sqPsn() {
    return sqPsn;
  }

  public int maxDestRdAtomic() {
    return maxDestRdAtomic;
  }

  public @Nullable MigState pathMigState() {
    return pathMigState;
  }

  /** Destination QPN, masked to the 24 bits of a packet. */
  public int destQpNum() {
    return destQpNum & QPN_MASK;
  }

  /** Rate limit in kbit/s, unsigned; 0 means no limit. */
  public int rateLimit() {
    return rateLimit;
  }

  public int maxBurstBytes() {
    return maxBurstBytes;
  }

  public void limitRate(QpRateLimitAttr attr) {
    rateLimit = attr.rateLimit();
    maxBurstBytes = attr.maxBurstSz();
  }
}
