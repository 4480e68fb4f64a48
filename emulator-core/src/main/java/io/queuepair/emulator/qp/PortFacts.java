package io.queuepair.emulator.qp;

import io.queuepair.verbs.Gid;
import io.queuepair.verbs.Mtu;
import java.util.List;
import java.util.function.Predicate;

/**
 * What a queue pair must know of a port to check attributes.
 *
 * @param gids the GID table up to its last entry
 * @param pkeys the P_Key table, 0 in empty slots
 * @param activeMtu largest path MTU in force
 * @param reaches whether somebody has an address
 */
public record PortFacts(
    List<Gid> gids, List<Integer> pkeys, Mtu activeMtu, Predicate<Gid> reaches) {
  /** Whether a slot of the table holds a GID. */
  boolean hasGid(int index) {
    return index >= 0 && index < gids.size() && !gids.get(index).isZero();
  }
}
