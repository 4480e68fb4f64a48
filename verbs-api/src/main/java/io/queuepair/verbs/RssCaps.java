// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.Set;

/**
 * Receive side scaling: queue pairs that spread frames over work queues ({@code struct
 * ibv_rss_caps}).
 *
 * @param supportedQpts types of queue pairs that have it
 * @param maxRwqIndirectionTables how many tables there can be
 * @param maxRwqIndirectionTableSize places of the largest table
 * @param rxHashFields fields of a frame that can be hashed
 * @param rxHashFunctions how they can be hashed
 */
public record RssCaps(
    Set<QpType> supportedQpts,
    int maxRwqIndirectionTables,
    int maxRwqIndirectionTableSize,
    Set<RxHashField> rxHashFields,
    Set<RxHashFunction> rxHashFunctions) {
  /** No receive side scaling. */
  public static final RssCaps NONE = new RssCaps(Set.of(), 0, 0, Set.of(), Set.of());

  /**
   * Copies the sets.
   *
   * @param supportedQpts types of queue pairs that have it
   * @param maxRwqIndirectionTables how many tables there can be
   * @param maxRwqIndirectionTableSize places of the largest table
   * @param rxHashFields fields of a frame that can be hashed
   * @param rxHashFunctions how they can be hashed
   */
  public RssCaps {
    supportedQpts = FlagSet.copyOf(supportedQpts, "supportedQpts");
    rxHashFields = FlagSet.copyOf(rxHashFields, "rxHashFields");
    rxHashFunctions = FlagSet.copyOf(rxHashFunctions, "rxHashFunctions");
  }
}
