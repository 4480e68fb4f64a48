// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Outcome of a work request ({@code enum ibv_wc_status}). */
public enum WcStatus implements VerbsConstant {
  /** Completed. */
  SUCCESS(0, "success"),

  /** The receive buffer is too small for the message, or a UD message exceeds the MTU. */
  LOC_LEN_ERR(1, "local length error"),

  /** Internal inconsistency of the queue pair while handling the request. */
  LOC_QP_OP_ERR(2, "local QP operation error"),

  /** Local end-to-end context error (RD only). */
  LOC_EEC_OP_ERR(3, "local EE context operation error"),

  /** A local buffer has a wrong lkey, range, protection domain or permission. */
  LOC_PROT_ERR(4, "local protection error"),

  /** Discarded because the queue pair is in, or entered, an error state. */
  WR_FLUSH_ERR(5, "Work Request Flushed Error"),

  /** The checks of a memory window bind failed. */
  MW_BIND_ERR(6, "memory management operation error"),

  /** The responder answered with an unexpected packet. */
  BAD_RESP_ERR(7, "bad response error"),

  /** A write with immediate hit a local protection error at the responder. */
  LOC_ACCESS_ERR(8, "local access error"),

  /** The responder answered NAK invalid request (0x61). */
  REM_INV_REQ_ERR(9, "remote invalid request error"),

  /** The responder answered NAK remote access error (0x62). */
  REM_ACCESS_ERR(10, "remote access error"),

  /** The responder answered NAK remote operational error (0x63). */
  REM_OP_ERR(11, "remote operation error"),

  /** The transport retry counter ran out: no answer, or only sequence NAKs. */
  RETRY_EXC_ERR(12, "transport retry counter exceeded"),

  /** The RNR retry counter ran out: the responder had no receive posted. */
  RNR_RETRY_EXC_ERR(13, "RNR retry counter exceeded"),

  /** Local reliable datagram domain violation (RD only). */
  LOC_RDD_VIOL_ERR(14, "local RDD violation error"),

  /** The responder refused an RD request (NAK 0x64). */
  REM_INV_RD_REQ_ERR(15, "remote invalid RD request"),

  /** Aborted by the remote side. */
  REM_ABORT_ERR(16, "aborted error"),

  /** Invalid end-to-end context number (RD only). */
  INV_EECN_ERR(17, "invalid EE context number"),

  /** Invalid end-to-end context state (RD only). */
  INV_EEC_STATE_ERR(18, "invalid EE context state"),

  /** Fatal transport error. */
  FATAL_ERR(19, "fatal error"),

  /** Response timeout. */
  RESP_TIMEOUT_ERR(20, "response timeout error"),

  /** Any other error. */
  GENERAL_ERR(21, "general error"),

  /** A tag matching operation failed. */
  TM_ERR(22, "TM error"),

  /** A tag matching rendezvous must be finished by software. */
  TM_RNDV_INCOMPLETE(23, "TM software rendezvous");

  private final int code;
  private final String text;

  WcStatus(int code, String text) {
    this.code = code;
    this.text = text;
  }

  @Override
  public int code() {
    return code;
  }

  /** {@return the text of {@code ibv_wc_status_str}} */
  @Verb("ibv_wc_status_str")
  public String text() {
    return text;
  }
}
