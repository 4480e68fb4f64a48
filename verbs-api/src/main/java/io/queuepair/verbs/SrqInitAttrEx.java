// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import org.jspecify.annotations.Nullable;

/**
 * Attributes to create a shared receive queue of any type with ({@code struct
 * ibv_srq_init_attr_ex}).
 *
 * @param attr capacities; the limit is not looked at
 * @param srqType who uses it; null is a missing type, which is refused
 * @param pd domain of the memory, or null for the default of its creator
 * @param xrcd XRC domain, or null for the default; only of type XRC
 * @param cq where its receives complete, or null for the default; only of type XRC
 */
public record SrqInitAttrEx(
    SrqAttr attr,
    @Nullable SrqType srqType,
    @Nullable ProtectionDomain pd,
    @Nullable XrcDomain xrcd,
    @Nullable CompletionQueue cq) {
  /**
   * All defaults.
   *
   * @param attr capacities
   * @param srqType who uses it
   * @return the attributes
   */
  public static SrqInitAttrEx of(SrqAttr attr, SrqType srqType) {
    return new SrqInitAttrEx(attr, srqType, null, null, null);
  }
}
