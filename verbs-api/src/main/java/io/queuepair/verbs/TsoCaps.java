// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.Set;

/**
 * Segmentation of large sends ({@code struct ibv_tso_caps}).
 *
 * @param maxTso bytes of the largest send that is segmented; 0 if none is
 * @param supportedQpts types of queue pairs that have it
 */
public record TsoCaps(long maxTso, Set<QpType> supportedQpts) {
  /**
   * Copies the types.
   *
   * @param maxTso bytes of the largest send that is segmented; 0 if none is
   * @param supportedQpts types of queue pairs that have it
   */
  public TsoCaps {
    supportedQpts = FlagSet.copyOf(supportedQpts, "supportedQpts");
  }

  /** No segmentation. */
  public static final TsoCaps NONE = new TsoCaps(0, Set.of());
}
