// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import io.queuepair.verbs.AccessFlag;
import java.util.Set;

/**
 * A memory region or a memory window at one moment.
 *
 * @param rkey its key for peers
 * @param addr its address for peers, unsigned 64-bit; 0 if it opens nothing
 * @param length bytes; 0 if it opens nothing
 * @param access what it allows; empty for reading by the own device only, and if it opens nothing
 * @param isOpen whether it is registered, or bound
 */
public record MemorySnapshot(
    int rkey, long addr, long length, Set<AccessFlag> access, boolean isOpen) {
  /**
   * Takes a copy of the rights.
   *
   * @param rkey its key for peers
   * @param addr its address for peers, unsigned 64-bit; 0 if it opens nothing
   * @param length bytes; 0 if it opens nothing
   * @param access what it allows; empty for reading by the own device only, and if it opens nothing
   * @param isOpen whether it is registered, or bound
   */
  public MemorySnapshot {
    access = Set.copyOf(access);
  }
}
