// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.MwType;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks of binding and invalidating a window, with a message for each refusal. */
final class MwBindRules {
  private static final Set<AccessFlag> NEED_LOCAL_WRITE =
      EnumSet.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_ATOMIC);

  private static final Set<AccessFlag> NEED_THE_SAME =
      EnumSet.of(AccessFlag.FLUSH_GLOBAL, AccessFlag.FLUSH_PERSISTENT);

  /** Rights that a window cannot have. LOCAL_WRITE is ignored, as programs pass it. */
  private static final Set<AccessFlag> MEANINGLESS =
      EnumSet.of(AccessFlag.MW_BIND, AccessFlag.ON_DEMAND, AccessFlag.HUGETLB);

  private MwBindRules() {}

  /**
   * Reason to refuse a bind.
   *
   * @param bind request whose window and region still exist
   * @return a clause, or null if the bind is valid
   */
  static @Nullable String refusal(MwBindRequest bind, AccessContext accessor) {
    MemoryWindowState window = bind.window();
    if (window.domain() != accessor.domain()) {
      return "the memory window belongs to another protection domain than the queue pair";
    }
    if (window.type() == MwType.TYPE_2) {
      if (window.isBound()) {
        return "the memory window is bound, and one of type 2 has to be invalidated first";
      }
      if (bind.isUnbind()) {
        return "a memory window of type 2 needs a region and at least one byte of it";
      }
      if (!MemoryTable.areOfOneSlot(window.key(), bind.newKey())) {
        return String.format(
            "the key 0x%08x differs in more than its lower 8 bits from 0x%08x, that of the"
                + " memory window",
            bind.newKey(), window.key());
      }
    }
    return bind.isUnbind() ? null : refusalOfRegion(bind, accessor);
  }

  private static @Nullable String refusalOfRegion(MwBindRequest bind, AccessContext accessor) {
    RegisteredMemory region = bind.region();
    if (region.domain() != accessor.domain()) {
      return "the region belongs to another protection domain than the queue pair";
    }
    if (!region.grants(AccessFlag.MW_BIND)) {
      return "the region was registered without MW_BIND";
    }
    if (region.grants(AccessFlag.ZERO_BASED)) {
      return "the region has zero-based addresses";
    }
    for (AccessFlag access : bind.access()) {
      if (NEED_LOCAL_WRITE.contains(access) && !region.grants(AccessFlag.LOCAL_WRITE)) {
        return access + " needs a region with LOCAL_WRITE";
      }
      if (NEED_THE_SAME.contains(access) && !region.grants(access)) {
        return access + " needs a region with the same right";
      }
      if (MEANINGLESS.contains(access)) {
        return access + " is no right of a memory window";
      }
    }
    return region.fullRange().contains(bind.range())
        ? null
        : bind.range() + " is not inside the region, " + region.fullRange();
  }

  /**
   * Reason to refuse an invalidation.
   *
   * @return a clause, or null if the invalidation is valid
   */
  static @Nullable String invalidationRefusal(
      @Nullable KeyedMemory memory, AccessContext accessor) {
    if (!(memory instanceof MemoryWindowState window)) {
      return memory == null
          ? "the key names no memory window"
          : "the key names a region, which only its owner can deregister";
    }
    if (window.type() == MwType.TYPE_1) {
      return "the memory window is of type 1, which only another bind closes";
    }
    if (!window.isBound()) {
      return "the memory window is not bound";
    }
    if (window.domain() != accessor.domain()) {
      return "the memory window belongs to another protection domain than the queue pair";
    }
    return accessor.mayUseWindowOf(window.binder()) ? null : MemoryFault.OTHER_QUEUE_PAIR.text();
  }
}
