// SPDX-License-Identifier: Apache-2.0
package io.queuepair.rdmacm;

import io.queuepair.verbs.VerbsConstant;

/** How a multicast group is joined ({@code enum rdma_cm_mc_join_flags}). */
public enum RdmaMcJoinFlag implements VerbsConstant {
  /** To send and to receive. */
  FULLMEMBER(0),

  /** To send only: the queue pair is not attached to the group. */
  SENDONLY_FULLMEMBER(1);

  private final int code;

  RdmaMcJoinFlag(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}
