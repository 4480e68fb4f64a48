// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Flag of a flow ({@code enum ibv_flow_flags}). */
public enum FlowFlag implements VerbsConstant {
  /** A frame that matches is offered to the flows behind this one as well; for NORMAL only. */
  DONT_TRAP(1 << 1),

  /** Look at frames that are sent. */
  EGRESS(1 << 2);

  private final int code;

  FlowFlag(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}
