// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/**
 * Where a destination is on the Ethernet.
 *
 * @param mac its address
 * @param vlanId VLAN it is in, 0 to 4095; {@link #NO_VLAN} if in none
 */
public record EthL2(MacAddress mac, int vlanId) {
  /** The VLAN of what is in none. */
  public static final int NO_VLAN = 0xffff;
}
