// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.verbs.Gid;
import io.queuepair.verbs.Mtu;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/**
 * The properties of a port that attribute checks need.
 *
 * @param gids the GID table up to its last entry
 * @param pkeys the P_Key table, 0 in empty slots
 * @param activeMtu largest path MTU in force
 * @param reaches whether a device has an address
 * @param hasRoute whether the host can send from a GID of the port to an address at all
 */
public record PortView(
    List<Gid> gids,
    List<Integer> pkeys,
    Mtu activeMtu,
    Predicate<Gid> reaches,
    BiPredicate<Gid, Gid> hasRoute) {
  /** Whether a slot of the table holds a GID. */
  boolean hasGid(int index) {
    return index >= 0 && index < gids.size() && !gids.get(index).isZero();
  }
}
