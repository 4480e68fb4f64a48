package io.queuepair.verbs;

import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;

/**
 * What a region becomes: the arguments of {@code ibv_rereg_mr}. Each {@code with} method sets a
 * value and its flag.
 *
 * @param flags what changes
 * @param pd the new domain, or null
 * @param buffer the new memory, direct, from its position to its limit, or null
 * @param access the new rights
 */
public record ReregMr(
    Set<ReregMrFlag> flags, ProtectionDomain pd, ByteBuffer buffer, Set<AccessFlag> access) {
  /**
   * Copies the flags and rights; domain and buffer may be missing.
   *
   * @param flags what changes
   * @param pd the new domain, or null
   * @param buffer the new memory, direct, from its position to its limit, or null
   * @param access the new rights
   */
  public ReregMr {
    flags = FlagSet.copyOf(flags, "flags");
    access = FlagSet.copyOf(access, "access");
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
    return new ReregMr(and(ReregMrFlag.CHANGE_TRANSLATION), pd, newBuffer, access);
  }

  /**
   * Another domain.
   *
   * @param newPd of the same context
   * @return this change and {@link ReregMrFlag#CHANGE_PD}
   */
  public ReregMr withPd(ProtectionDomain newPd) {
    return new ReregMr(and(ReregMrFlag.CHANGE_PD), newPd, buffer, access);
  }

  /**
   * Other rights, in place of those that there are.
   *
   * @param newAccess rights
   * @return this change and {@link ReregMrFlag#CHANGE_ACCESS}
   */
  public ReregMr withAccess(AccessFlag... newAccess) {
    return new ReregMr(
        and(ReregMrFlag.CHANGE_ACCESS), pd, buffer, FlagSet.of("newAccess", newAccess));
  }

  private Set<ReregMrFlag> and(ReregMrFlag flag) {
    Set<ReregMrFlag> more = EnumSet.of(flag);
    more.addAll(flags);
    return more;
  }
}
