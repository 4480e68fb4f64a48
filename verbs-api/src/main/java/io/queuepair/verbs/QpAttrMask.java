// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Names one attribute of {@link QpAttr} ({@code enum ibv_qp_attr_mask}). */
public enum QpAttrMask implements VerbsConstant {
  /** {@link QpAttr#qpState(QpState)}: the state to move to. */
  STATE(1 << 0),

  /** The state the caller believes the queue pair to be in. */
  CUR_STATE(1 << 1),

  /** Ask for the SQ_DRAINED event. */
  EN_SQD_ASYNC_NOTIFY(1 << 2),

  /** Remote operations the queue pair accepts. */
  ACCESS_FLAGS(1 << 3),

  /** Index into the P_Key table of the port. */
  PKEY_INDEX(1 << 4),

  /** Number of the physical port. */
  PORT(1 << 5),

  /** Q_Key of a datagram queue pair. */
  QKEY(1 << 6),

  /** Address vector of the peer. */
  AV(1 << 7),

  /** Largest payload of one packet. */
  PATH_MTU(1 << 8),

  /** Local ACK timeout code. */
  TIMEOUT(1 << 9),

  /** Retransmissions after a timeout or a sequence NAK. */
  RETRY_CNT(1 << 10),

  /** Retries after a receiver-not-ready NAK. */
  RNR_RETRY(1 << 11),

  /** First PSN expected from the peer. */
  RQ_PSN(1 << 12),

  /** READs and atomics outstanding as requester. */
  MAX_QP_RD_ATOMIC(1 << 13),

  /** Alternate path for migration. */
  ALT_PATH(1 << 14),

  /** RNR timer code put into RNR NAKs. */
  MIN_RNR_TIMER(1 << 15),

  /** First PSN sent. */
  SQ_PSN(1 << 16),

  /** READs and atomics outstanding as responder. */
  MAX_DEST_RD_ATOMIC(1 << 17),

  /** Path migration state. */
  PATH_MIG_STATE(1 << 18),

  /** Capacities of the queues. */
  CAP(1 << 19),

  /** Queue pair number of the peer. */
  DEST_QPN(1 << 20),

  /** Packet pacing rate in kbit/s. */
  RATE_LIMIT(1 << 25);

  private final int code;

  QpAttrMask(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}
