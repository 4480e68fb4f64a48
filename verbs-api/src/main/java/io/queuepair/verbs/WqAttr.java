// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Attributes of a work queue to modify ({@code struct ibv_wq_attr}).
 *
 * @param attrMask which of the other fields count
 * @param wqState the state to move to
 * @param currWqState the state it is assumed to be in
 * @param flags the flags it shall have, of those in {@code flagsMask}
 * @param flagsMask which flags change
 */
public record WqAttr(
    Set<WqAttrMask> attrMask,
    @Nullable WqState wqState,
    @Nullable WqState currWqState,
    Set<WqFlag> flags,
    Set<WqFlag> flagsMask) {
  /**
   * Copies the sets.
   *
   * @param attrMask which of the other fields count
   * @param wqState the state to move to
   * @param currWqState the state it is assumed to be in
   * @param flags the flags it shall have, of those in {@code flagsMask}
   * @param flagsMask which flags change
   */
  public WqAttr {
    attrMask = FlagSet.copyOf(attrMask, "attrMask");
    flags = FlagSet.copyOf(flags, "flags");
    flagsMask = FlagSet.copyOf(flagsMask, "flagsMask");
  }

  /**
   * Another state.
   *
   * @param wqState the state to move to
   * @return the attributes
   */
  public static WqAttr to(WqState wqState) {
    return new WqAttr(Set.of(WqAttrMask.STATE), wqState, null, Set.of(), Set.of());
  }

  /**
   * Other flags.
   *
   * @param flags the flags it shall have, of those in {@code flagsMask}
   * @param flagsMask which flags change
   * @return the attributes
   */
  public static WqAttr ofFlags(Set<WqFlag> flags, Set<WqFlag> flagsMask) {
    return new WqAttr(Set.of(WqAttrMask.FLAGS), null, null, flags, flagsMask);
  }

  /**
   * A copy that requires a state of the work queue.
   *
   * @param assumed the state it must be in
   * @return new attributes
   */
  public WqAttr from(WqState assumed) {
    Set<WqAttrMask> mask = EnumSet.of(WqAttrMask.CURR_STATE);
    mask.addAll(attrMask);
    return new WqAttr(mask, wqState, assumed, flags, flagsMask);
  }
}
