// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.Objects;
import java.util.Set;

/**
 * How a memory window of type 1 is to be bound ({@code struct ibv_mw_bind}).
 *
 * @param wrId returned in the completion
 * @param flags the flags, as of a send
 * @param binding what it opens; nothing to close it
 */
public record MwBind(long wrId, Set<SendFlag> flags, MwBindInfo binding) {
  /**
   * Copies the flags.
   *
   * @param wrId returned in the completion
   * @param flags the flags, as of a send
   * @param binding what it opens; nothing to close it
   */
  public MwBind {
    flags = FlagSet.copyOf(flags, "flags");
    Objects.requireNonNull(binding, "binding");
  }
}
