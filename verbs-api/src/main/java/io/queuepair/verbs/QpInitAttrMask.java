// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Which fields of {@link QpInitAttrEx} count ({@code enum ibv_qp_init_attr_mask}). */
public enum QpInitAttrMask implements VerbsConstant {
  /** The protection domain, always given. */
  PD(1 << 0),

  /** The domain of an extended connection: see {@link XrcDomain#createQp}. */
  XRCD(1 << 1),

  /** {@link QpInitAttrEx#createFlags}. */
  CREATE_FLAGS(1 << 2),

  /** {@link QpInitAttrEx#maxTsoHeader}. */
  MAX_TSO_HEADER(1 << 3),

  /** {@link QpInitAttrEx#rwqIndTbl}. */
  IND_TABLE(1 << 4),

  /** {@link QpInitAttrEx#rxHashConf}. */
  RX_HASH(1 << 5),

  /** {@link QpInitAttrEx#sendOpsFlags}. */
  SEND_OPS_FLAGS(1 << 6);

  private final int code;

  QpInitAttrMask(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}
