// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Capability of a device ({@code enum ibv_device_cap_flags}). */
public enum DeviceCapFlag implements VerbsConstant {
  /** Queues of a queue pair can be resized. */
  RESIZE_MAX_WR(1 << 0),

  /** Counts P_Key violations. */
  BAD_PKEY_CNTR(1 << 1),

  /** Counts Q_Key violations. */
  BAD_QKEY_CNTR(1 << 2),

  /** Raw packet multicast. */
  RAW_MULTI(1 << 3),

  /** Automatic path migration. */
  AUTO_PATH_MIG(1 << 4),

  /** The port of a queue pair can change in SQD. */
  CHANGE_PHY_PORT(1 << 5),

  /** The port of an address handle must match its queue pair. */
  UD_AV_PORT_ENFORCE(1 << 6),

  /** Honours {@link QpAttrMask#CUR_STATE}. */
  CURR_QP_STATE_MOD(1 << 7),

  /** Ports can be shut down. */
  SHUTDOWN_PORT(1 << 8),

  /** Initialisation types. */
  INIT_TYPE(1 << 9),

  /** Raises PORT_ACTIVE. */
  PORT_ACTIVE_EVENT(1 << 10),

  /** Has a system image GUID. */
  SYS_IMAGE_GUID(1 << 11),

  /** Generates RNR NAKs for RC. */
  RC_RNR_NAK_GEN(1 << 12),

  /** Shared receive queues can be resized. */
  SRQ_RESIZE(1 << 13),

  /** Notification after n completions. */
  N_NOTIFY_CQ(1 << 14),

  /** Type 1 memory windows. */
  MEM_WINDOW(1 << 17),

  /** IP checksum offload for UD. */
  UD_IP_CSUM(1 << 18),

  /** Extended reliable connections. */
  XRC(1 << 20),

  /** Fast registration, send with invalidate, local invalidate. */
  MEM_MGT_EXTENSIONS(1 << 21),

  /** Type 2A memory windows. */
  MEM_WINDOW_TYPE_2A(1 << 23),

  /** Type 2B memory windows. */
  MEM_WINDOW_TYPE_2B(1 << 24),

  /** IP checksum offload for RC. */
  RC_IP_CSUM(1 << 25),

  /** IP checksum offload for raw packets. */
  RAW_IP_CSUM(1 << 26),

  /** Flow steering. */
  MANAGED_FLOW_STEERING(1 << 29);

  private final int code;

  DeviceCapFlag(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}
