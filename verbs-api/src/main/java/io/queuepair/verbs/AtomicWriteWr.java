// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.List;
import java.util.Set;

/**
 * Writes eight bytes of remote memory as one store.
 *
 * @param wrId returned in the completion
 * @param sgList eight bytes of local memory
 * @param flags the flags
 * @param remoteAddr address of eight bytes at the peer, a multiple of 8
 * @param rkey remote key of the region or window
 */
public record AtomicWriteWr(
    long wrId, List<Sge> sgList, Set<SendFlag> flags, long remoteAddr, int rkey)
    implements SendWr, SendWr.RemoteAccess {
  /**
   * Copies the list and the flags.
   *
   * @param wrId returned in the completion
   * @param sgList eight bytes of local memory
   * @param flags the flags
   * @param remoteAddr address of eight bytes at the peer, a multiple of 8
   * @param rkey remote key of the region or window
   */
  public AtomicWriteWr {
    sgList = Sge.copyOf(sgList, "sgList");
    flags = FlagSet.copyOf(flags, "flags");
  }

  @Override
  public WrOpcode opcode() {
    return WrOpcode.ATOMIC_WRITE;
  }

  @Override
  public AtomicWriteWr withFlags(SendFlag... newFlags) {
    return new AtomicWriteWr(wrId, sgList, FlagSet.of("newFlags", newFlags), remoteAddr, rkey);
  }
}
