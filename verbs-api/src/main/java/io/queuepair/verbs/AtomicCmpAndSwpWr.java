// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.List;
import java.util.Set;

/**
 * Replaces eight bytes of remote memory if they hold a given value, and returns what was there.
 *
 * @param wrId returned in the completion
 * @param sgList eight bytes for the value that was there; needs LOCAL_WRITE
 * @param flags the flags
 * @param remoteAddr address of eight bytes at the peer, a multiple of 8
 * @param rkey remote key of the region or window
 * @param compare value that must be there
 * @param swap value to put there
 */
public record AtomicCmpAndSwpWr(
    long wrId,
    List<Sge> sgList,
    Set<SendFlag> flags,
    long remoteAddr,
    int rkey,
    long compare,
    long swap)
    implements SendWr, SendWr.RemoteAccess {
  /**
   * Copies the list and the flags.
   *
   * @param wrId returned in the completion
   * @param sgList eight bytes for the value that was there; needs LOCAL_WRITE
   * @param flags the flags
   * @param remoteAddr address of eight bytes at the peer, a multiple of 8
   * @param rkey remote key of the region or window
   * @param compare value that must be there
   * @param swap value to put there
   */
  public AtomicCmpAndSwpWr {
    sgList = Sge.copyOf(sgList, "sgList");
    flags = FlagSet.copyOf(flags, "flags");
  }

  @Override
  public WrOpcode opcode() {
    return WrOpcode.ATOMIC_CMP_AND_SWP;
  }

  @Override
  public AtomicCmpAndSwpWr withFlags(SendFlag... newFlags) {
    return new AtomicCmpAndSwpWr(
        wrId, sgList, FlagSet.of("newFlags", newFlags), remoteAddr, rkey, compare, swap);
  }
}
