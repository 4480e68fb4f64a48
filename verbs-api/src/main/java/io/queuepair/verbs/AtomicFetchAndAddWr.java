// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.List;
import java.util.Set;

/**
 * Adds to eight bytes of remote memory, and returns what was there.
 *
 * @param wrId returned in the completion
 * @param sgList eight bytes for the value that was there; needs LOCAL_WRITE
 * @param flags the flags
 * @param remoteAddr address of eight bytes at the peer, a multiple of 8
 * @param rkey remote key of the region or window
 * @param add what to add, modulo 2^64
 */
public record AtomicFetchAndAddWr(
    long wrId, List<Sge> sgList, Set<SendFlag> flags, long remoteAddr, int rkey, long add)
    implements SendWr, SendWr.RemoteAccess {
  /**
   * Copies the list and the flags.
   *
   * @param wrId returned in the completion
   * @param sgList eight bytes for the value that was there; needs LOCAL_WRITE
   * @param flags the flags
   * @param remoteAddr address of eight bytes at the peer, a multiple of 8
   * @param rkey remote key of the region or window
   * @param add what to add, modulo 2^64
   */
  public AtomicFetchAndAddWr {
    sgList = Sge.copyOf(sgList, "sgList");
    flags = FlagSet.copyOf(flags, "flags");
  }

  @Override
  public WrOpcode opcode() {
    return WrOpcode.ATOMIC_FETCH_AND_ADD;
  }

  @Override
  public AtomicFetchAndAddWr withFlags(SendFlag... newFlags) {
    return new AtomicFetchAndAddWr(
        wrId, sgList, FlagSet.of("newFlags", newFlags), remoteAddr, rkey, add);
  }
}
