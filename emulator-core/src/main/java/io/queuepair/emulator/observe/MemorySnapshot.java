// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import io.queuepair.verbs.AccessFlag;
import java.util.Set;

/**
 * A memory region or a memory window at one moment.
 *
 * @param rkey its rkey
 * @param addr its address for peers, unsigned 64-bit; 0 if it is not open
 * @param length bytes; 0 if it is not open
 * @param access its access rights; empty for local reads only, and if it is not open
 * @param isOpen whether the region is registered, or the window is bound
 */
public record MemorySnapshot(
    int rkey, long addr, long length, Set<AccessFlag> access, boolean isOpen) {
  /**
   * Copies the access rights.
   *
   * @param rkey its rkey
   * @param addr its address for peers, unsigned 64-bit; 0 if it is not open
   * @param length bytes; 0 if it is not open
   * @param access its access rights; empty for local reads only, and if it is not open
   * @param isOpen whether the region is registered, or the window is bound
   */
  public MemorySnapshot {
    access = Set.copyOf(access);
  }
}
