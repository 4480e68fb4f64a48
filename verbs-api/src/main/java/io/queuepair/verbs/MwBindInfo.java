// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Range that a memory window opens, and its rights ({@code struct ibv_mw_bind_info}).
 *
 * @param mr region that the bytes belong to, which needs {@link AccessFlag#MW_BIND}; null to unbind
 *     a window of type 1
 * @param addr address of the first byte, unsigned 64-bit
 * @param length bytes; 0 unbinds a window of type 1
 * @param access rights of peers; with {@link AccessFlag#ZERO_BASED} they address the first byte as
 *     0
 */
public record MwBindInfo(
    @Nullable MemoryRegion mr, long addr, long length, Set<AccessFlag> access) {
  /**
   * Copies the rights; the region may be missing.
   *
   * @param mr region that the bytes belong to, which needs {@link AccessFlag#MW_BIND}; null to
   *     unbind a window of type 1
   * @param addr address of the first byte, unsigned 64-bit
   * @param length bytes; 0 unbinds a window of type 1
   * @param access rights of peers; with {@link AccessFlag#ZERO_BASED} they address the first byte
   *     as 0
   */
  public MwBindInfo {
    access = FlagSet.copyOf(access, "access");
  }
}
