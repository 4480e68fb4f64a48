// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Changes of a region: the arguments of {@code ibv_rereg_mr}. Each {@code with} method sets a value
 * and its flag.
 *
 * @param flags what changes
 * @param pd the new domain, or null
 * @param buffer the new memory, direct, from its position to its limit, or null
 * @param access the new rights
 * @param iova the new address of the first byte; empty if the device is to choose it
 */
public record ReregMr(
    Set<ReregMrFlag> flags,
    @Nullable ProtectionDomain pd,
    @Nullable ByteBuffer buffer,
    Set<AccessFlag> access,
    OptionalLong iova) {
  /**
   * Copies the flags and rights; domain and buffer may be missing.
   *
   * @param flags what changes
   * @param pd the new domain, or null
   * @param buffer the new memory, direct, from its position to its limit, or null
   * @param access the new rights
   * @param iova the new address of the first byte; empty if the device is to choose it
   */
  public ReregMr {
    flags = FlagSet.copyOf(flags, "flags");
    access = FlagSet.copyOf(access, "access");
    Objects.requireNonNull(iova, "iova");
  }

  /**
   * A change with addresses of the device's choice.
   *
   * @param flags what changes
   * @param pd the new domain, or null
   * @param buffer the new memory, direct, from its position to its limit, or null
   * @param access the new rights
   */
  public ReregMr(
      Set<ReregMrFlag> flags,
      @Nullable ProtectionDomain pd,
      @Nullable ByteBuffer buffer,
      Set<AccessFlag> access) {
    this(flags, pd, buffer, access, OptionalLong.empty());
  }

  /**
   * No change.
   *
   * @return a change to add to
   */
  public static ReregMr nothing() {
    return new ReregMr(Set.of(), null, null, Set.of());
  }

  /**
   * Other memory, at other addresses.
   *
   * @param newBuffer direct memory, from its position to its limit
   * @return this change and {@link ReregMrFlag#CHANGE_TRANSLATION}
   */
  public ReregMr withTranslation(ByteBuffer newBuffer) {
    return new ReregMr(
        and(ReregMrFlag.CHANGE_TRANSLATION), pd, newBuffer, access, OptionalLong.empty());
  }

  /**
   * Other memory at an address of the caller's choice.
   *
   * @param newBuffer direct memory, from its position to its limit
   * @param newIova address of the first byte, unsigned 64-bit; as far from the start of a page of
   *     4096 bytes as the position of the buffer
   * @return this change and {@link ReregMrFlag#CHANGE_TRANSLATION}
   */
  public ReregMr withTranslation(ByteBuffer newBuffer, long newIova) {
    return new ReregMr(
        and(ReregMrFlag.CHANGE_TRANSLATION), pd, newBuffer, access, OptionalLong.of(newIova));
  }

  /**
   * Another domain.
   *
   * @param newPd of the same context
   * @return this change and {@link ReregMrFlag#CHANGE_PD}
   */
  public ReregMr withPd(ProtectionDomain newPd) {
    return new ReregMr(and(ReregMrFlag.CHANGE_PD), newPd, buffer, access, iova);
  }

  /**
   * Replaces the rights.
   *
   * @param newAccess rights
   * @return this change and {@link ReregMrFlag#CHANGE_ACCESS}
   */
  public ReregMr withAccess(AccessFlag... newAccess) {
    return new ReregMr(
        and(ReregMrFlag.CHANGE_ACCESS), pd, buffer, FlagSet.of("newAccess", newAccess), iova);
  }

  private Set<ReregMrFlag> and(ReregMrFlag flag) {
    Set<ReregMrFlag> more = EnumSet.of(flag);
    more.addAll(flags);
    return more;
  }
}
