// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/**
 * Enhanced connection establishment: options of a vendor that two sides of a connection agree on
 * ({@code struct ibv_ece}).
 *
 * @param vendorId 24-bit number of the vendor; 0 for none
 * @param options bits that mean what the vendor says
 */
public record Ece(int vendorId, int options) {
  /** Nothing to agree on. */
  public static final Ece NONE = new Ece(0, 0);
}
