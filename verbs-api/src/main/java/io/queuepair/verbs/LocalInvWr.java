// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.List;
import java.util.Set;

/**
 * Invalidates the key of a memory window of this device, once the requests before it have
 * completed. Completes with MW_BIND_ERR if the key names no window of type 2 that is bound through
 * this queue pair.
 *
 * @param wrId returned in the completion
 * @param flags the flags
 * @param invalidateRkey key of a memory window of type 2 that is bound
 */
public record LocalInvWr(long wrId, Set<SendFlag> flags, int invalidateRkey) implements SendWr {
  /**
   * Copies the flags.
   *
   * @param wrId returned in the completion
   * @param flags the flags
   * @param invalidateRkey key of a memory window of type 2 that is bound
   */
  public LocalInvWr {
    flags = FlagSet.copyOf(flags, "flags");
  }

  @Override
  public List<Sge> sgList() {
    return List.of();
  }

  @Override
  public WrOpcode opcode() {
    return WrOpcode.LOCAL_INV;
  }

  @Override
  public LocalInvWr withFlags(SendFlag... newFlags) {
    return new LocalInvWr(wrId, FlagSet.of("newFlags", newFlags), invalidateRkey);
  }
}
