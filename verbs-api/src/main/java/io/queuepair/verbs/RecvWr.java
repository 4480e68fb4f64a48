// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.List;

/**
 * A receive work request ({@code struct ibv_recv_wr}).
 *
 * @param wrId returned in the completion
 * @param sgList where the message is scattered, in order; needs {@link AccessFlag#LOCAL_WRITE}
 */
public record RecvWr(long wrId, List<Sge> sgList) {
  /**
   * Copies the list.
   *
   * @param wrId returned in the completion
   * @param sgList where the message is scattered, in order; needs {@link AccessFlag#LOCAL_WRITE}
   */
  public RecvWr {
    sgList = Sge.copyOf(sgList, "sgList");
  }

  /**
   * A receive into the given ranges.
   *
   * @param wrId returned in the completion
   * @param sges where the message is scattered, in order
   * @return the request
   */
  public static RecvWr of(long wrId, Sge... sges) {
    return new RecvWr(wrId, Sge.listOf("sges", sges));
  }
}
