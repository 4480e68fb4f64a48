// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Capabilities of on-demand paging ({@code enum ibv_odp_general_caps}). */
public enum OdpGeneralCap implements VerbsConstant {
  /** Regions can be registered without pinning their memory. */
  SUPPORT(1),

  /** A region can cover the whole address space. */
  SUPPORT_IMPLICIT(2);

  private final int code;

  OdpGeneralCap(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}
