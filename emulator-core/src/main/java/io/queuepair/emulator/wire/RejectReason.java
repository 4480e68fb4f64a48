// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.util.Optional;

/** Reasons for which a connection is rejected, by the code in a REJ ({@code IB_CM_REJ_*}). */
public enum RejectReason {
  NO_QP(1, "no QP available"),
  NO_EEC(2, "no EE context available"),
  NO_RESOURCES(3, "no resources available"),
  TIMEOUT(4, "timeout"),
  UNSUPPORTED(5, "unsupported request"),
  INVALID_COMM_ID(6, "invalid communication ID"),
  INVALID_COMM_INSTANCE(7, "invalid communication instance"),
  INVALID_SERVICE_ID(8, "invalid service ID"),
  INVALID_TRANSPORT_TYPE(9, "invalid transport service type"),
  STALE_CONN(10, "stale connection"),
  RDC_NOT_EXIST(11, "RDC does not exist"),
  INVALID_GID(12, "invalid primary remote GID"),
  INVALID_LID(13, "invalid primary remote LID"),
  INVALID_SL(14, "invalid primary SL"),
  INVALID_TRAFFIC_CLASS(15, "invalid primary traffic class"),
  INVALID_HOP_LIMIT(16, "invalid primary hop limit"),
  INVALID_PACKET_RATE(17, "invalid primary packet rate"),
  INVALID_ALT_GID(18, "invalid alternate remote GID"),
  INVALID_ALT_LID(19, "invalid alternate remote LID"),
  INVALID_ALT_SL(20, "invalid alternate SL"),
  INVALID_ALT_TRAFFIC_CLASS(21, "invalid alternate traffic class"),
  INVALID_ALT_HOP_LIMIT(22, "invalid alternate hop limit"),
  INVALID_ALT_PACKET_RATE(23, "invalid alternate packet rate"),
  PORT_CM_REDIRECT(24, "port and CM redirection"),
  PORT_REDIRECT(25, "port redirection"),
  INVALID_MTU(26, "invalid path MTU"),
  INSUFFICIENT_RESP_RESOURCES(27, "insufficient responder resources"),
  CONSUMER_DEFINED(28, "consumer reject"),
  INVALID_RNR_RETRY(29, "RNR retry count reject"),
  DUPLICATE_LOCAL_COMM_ID(30, "duplicate local communication ID"),
  INVALID_CLASS_VERSION(31, "unsupported class version"),
  INVALID_FLOW_LABEL(32, "invalid primary flow label"),
  INVALID_ALT_FLOW_LABEL(33, "invalid alternate flow label"),
  VENDOR_OPTION_NOT_SUPPORTED(35, "vendor option not supported");

  private final int code;
  private final String text;

  RejectReason(int code, String text) {
    this.code = code;
    this.text = text;
  }

  public int code() {
    return code;
  }

  /** Reason in a few words for the user. */
  public String text() {
    return text;
  }

  /** Reason of a code; empty for a reserved code. */
  public static Optional<RejectReason> ofCode(int code) {
    for (RejectReason reason : values()) {
      if (reason.code == code) {
        return Optional.of(reason);
      }
    }
    return Optional.empty();
  }

  /** Text of a code, also of a reserved one. */
  public static String textOf(int code) {
    return ofCode(code).map(RejectReason::text).orElse("unknown") + " (" + code + ")";
  }
}
