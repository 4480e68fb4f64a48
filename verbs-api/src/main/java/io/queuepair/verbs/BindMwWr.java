// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Binds a memory window of type 2, before the requests after it start. Completes with MW_BIND_ERR
 * if the window or the region does not allow it. The window stays bound until it is invalidated or
 * freed, or the queue pair that bound it goes to RESET or is destroyed.
 *
 * @param wrId returned in the completion
 * @param flags the flags
 * @param mw the window, unbound
 * @param rkey the key it shall have: that of the window, with any lower 8 bits
 * @param binding what it opens
 */
public record BindMwWr(
    long wrId, Set<SendFlag> flags, MemoryWindow mw, int rkey, MwBindInfo binding)
    implements SendWr {
  /**
   * Copies the flags.
   *
   * @param wrId returned in the completion
   * @param flags the flags
   * @param mw the window, unbound
   * @param rkey the key it shall have: that of the window, with any lower 8 bits
   * @param binding what it opens
   */
  public BindMwWr {
    flags = FlagSet.copyOf(flags, "flags");
    Objects.requireNonNull(binding, "binding");
  }

  @Override
  public List<Sge> sgList() {
    return List.of();
  }

  @Override
  public WrOpcode opcode() {
    return WrOpcode.BIND_MW;
  }

  @Override
  public BindMwWr withFlags(SendFlag... newFlags) {
    return new BindMwWr(wrId, FlagSet.of("newFlags", newFlags), mw, rkey, binding);
  }
}
