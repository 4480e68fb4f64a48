// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Right granted on memory or by a queue pair ({@code enum ibv_access_flags}). */
public enum AccessFlag implements VerbsConstant {
  /** The local device may write: receives and READ targets need it. */
  LOCAL_WRITE(1 << 0),

  /** Peers may write. */
  REMOTE_WRITE(1 << 1),

  /** Peers may read. */
  REMOTE_READ(1 << 2),

  /** Peers may run atomics. */
  REMOTE_ATOMIC(1 << 3),

  /** Memory windows may be bound to the region. */
  MW_BIND(1 << 4),

  /** Addresses are offsets from the start of the region. */
  ZERO_BASED(1 << 5),

  /** Pages are faulted in on demand. */
  ON_DEMAND(1 << 6),

  /** The memory consists of huge pages. */
  HUGETLB(1 << 7),

  /** Peers may flush to global visibility. */
  FLUSH_GLOBAL(1 << 8),

  /** Peers may flush to persistence. */
  FLUSH_PERSISTENT(1 << 9),

  /** The device may reorder accesses; optional, may be ignored. */
  RELAXED_ORDERING(1 << 20);

  private final int code;

  AccessFlag(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}
