// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.Set;

/** Property of a work completion ({@code enum ibv_wc_flags}). */
public enum WcFlag implements VerbsConstant {
  /** A global route header precedes the data (UD). */
  GRH(1 << 0),

  /** {@link WorkCompletion#immData()} is valid. */
  WITH_IMM(1 << 1),

  /**
   * The checksums of the IPv4 header and of TCP or UDP are right. Missing also where there are none
   * to be right: in fragments, other protocols, and UDP without checksum.
   */
  IP_CSUM_OK(1 << 2),

  /** An R_Key was invalidated. */
  WITH_INV(1 << 3),

  /** Tag matching: synchronisation wanted. */
  TM_SYNC_REQ(1 << 4),

  /** Tag matching: a tag matched. */
  TM_MATCH(1 << 5),

  /** Tag matching: the data is valid. */
  TM_DATA_VALID(1 << 6);

  private final int code;

  WcFlag(int code) {
    this.code = code;
  }

  /**
   * Flags of a completion, in a set that a {@link WorkCompletion} holds without a copy.
   *
   * @param flags which
   * @return the set, which does not change
   */
  public static Set<WcFlag> setOf(WcFlag... flags) {
    return FlagSet.of("flags", flags);
  }

  @Override
  public int code() {
    return code;
  }
}
