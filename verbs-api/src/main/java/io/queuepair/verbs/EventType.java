// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Kind of an asynchronous event ({@code enum ibv_event_type}). */
public enum EventType implements VerbsConstant {
  /** A completion queue overran. */
  CQ_ERR(0, "CQ error"),

  /** A queue pair failed while generating completions. */
  QP_FATAL(1, "local work queue catastrophic error"),

  /** The responder of a queue pair met an invalid request. */
  QP_REQ_ERR(2, "invalid request local work queue error"),

  /** The responder of a queue pair met an access violation. */
  QP_ACCESS_ERR(3, "local access violation work queue error"),

  /** The first request that is not refused arrived on a queue pair while it was in RTR. */
  COMM_EST(4, "communication established"),

  /** A send queue has drained. */
  SQ_DRAINED(5, "send queue drained"),

  /** A path migrated. */
  PATH_MIG(6, "path migrated"),

  /** A path migration failed. */
  PATH_MIG_ERR(7, "path migration request error"),

  /** The device failed. */
  DEVICE_FATAL(8, "local catastrophic error"),

  /** A port became active. */
  PORT_ACTIVE(9, "port active"),

  /** A port went down. */
  PORT_ERR(10, "port error"),

  /** The LID of a port changed. */
  LID_CHANGE(11, "LID change"),

  /** The P_Key table of a port changed. */
  PKEY_CHANGE(12, "P_Key change"),

  /** The subnet manager changed. */
  SM_CHANGE(13, "SM change"),

  /** A shared receive queue failed. */
  SRQ_ERR(14, "SRQ catastrophic error"),

  /** A shared receive queue fell below its limit. */
  SRQ_LIMIT_REACHED(15, "SRQ limit reached"),

  /** A queue pair in error has consumed its last shared receive. */
  QP_LAST_WQE_REACHED(16, "last WQE reached"),

  /** The subnet manager asks clients to register again. */
  CLIENT_REREGISTER(17, "client reregistration"),

  /** The GID table of a port changed. */
  GID_CHANGE(18, "GID table change"),

  /** A work queue failed. */
  WQ_FATAL(19, "WQ fatal"),

  /** The link speed of the device changed. */
  DEVICE_SPEED_CHANGE(20, "Device link speed change");

  private final int code;
  private final String text;

  EventType(int code, String text) {
    this.code = code;
    this.text = text;
  }

  @Override
  public int code() {
    return code;
  }

  /** {@return the text of {@code ibv_event_type_str}} */
  @Verb("ibv_event_type_str")
  public String text() {
    return text;
  }
}
