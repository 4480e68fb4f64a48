// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Attributes to create a work queue with ({@code struct ibv_wq_init_attr}).
 *
 * @param wqType its type
 * @param maxWr receives that it holds
 * @param maxSge scatter/gather entries of a receive
 * @param pd domain of the memory; null is a missing one, which is refused
 * @param cq where its receives complete; null is a missing one, which is refused
 * @param createFlags what is special about it
 */
public record WqInitAttr(
    WqType wqType,
    int maxWr,
    int maxSge,
    @Nullable ProtectionDomain pd,
    @Nullable CompletionQueue cq,
    Set<WqFlag> createFlags) {
  /**
   * Copies the flags.
   *
   * @param wqType its type
   * @param maxWr receives that it holds
   * @param maxSge scatter/gather entries of a receive
   * @param pd domain of the memory; null is a missing one, which is refused
   * @param cq where its receives complete; null is a missing one, which is refused
   * @param createFlags what is special about it
   */
  public WqInitAttr {
    Objects.requireNonNull(wqType, "wqType");
    createFlags = FlagSet.copyOf(createFlags, "createFlags");
  }

  /**
   * A work queue that receives.
   *
   * @param pd domain of the memory
   * @param cq where its receives complete
   * @param maxWr receives that it holds
   * @param maxSge scatter/gather entries of a receive
   * @return the attributes, without flags
   */
  public static WqInitAttr of(ProtectionDomain pd, CompletionQueue cq, int maxWr, int maxSge) {
    return new WqInitAttr(WqType.RQ, maxWr, maxSge, pd, cq, Set.of());
  }

  /**
   * A copy with just these flags.
   *
   * @param newFlags what is special about it
   * @return new attributes
   */
  public WqInitAttr withCreateFlags(WqFlag... newFlags) {
    return new WqInitAttr(wqType, maxWr, maxSge, pd, cq, FlagSet.of("newFlags", newFlags));
  }
}
