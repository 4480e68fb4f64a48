// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Waits until earlier writes to remote memory are visible there, or persistent ({@code
 * ibv_wr_flush}).
 *
 * @param wrId returned in the completion
 * @param flags the flags
 * @param remoteAddr address of the first byte at the peer
 * @param rkey remote key of the region
 * @param length bytes to flush, 0 to 2^32 - 1; not looked at for a whole region
 * @param placements what to wait for, at least one
 * @param level range or whole region
 */
public record FlushWr(
    long wrId,
    Set<SendFlag> flags,
    long remoteAddr,
    int rkey,
    long length,
    Set<PlacementType> placements,
    SelectivityLevel level)
    implements SendWr, SendWr.RemoteAccess {
  /**
   * Copies the flags.
   *
   * @param wrId returned in the completion
   * @param flags the flags
   * @param remoteAddr address of the first byte at the peer
   * @param rkey remote key of the region
   * @param length bytes to flush, 0 to 2^32 - 1; not looked at for a whole region
   * @param placements what to wait for, at least one
   * @param level range or whole region
   */
  public FlushWr {
    flags = FlagSet.copyOf(flags, "flags");
    placements = FlagSet.copyOf(placements, "placements");
    Objects.requireNonNull(level, "level");
  }

  @Override
  public List<Sge> sgList() {
    return List.of();
  }

  @Override
  public WrOpcode opcode() {
    return WrOpcode.FLUSH;
  }

  @Override
  public FlushWr withFlags(SendFlag... newFlags) {
    return new FlushWr(
        wrId, FlagSet.of("newFlags", newFlags), remoteAddr, rkey, length, placements, level);
  }
}
