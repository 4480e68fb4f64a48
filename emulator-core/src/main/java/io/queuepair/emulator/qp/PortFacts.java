package io.queuepair.emulator.qp;

import io.queuepair.verbs.Gid;
import io.queuepair.verbs.Mtu;
import java.util.List;

/**
 * What a queue pair must know of its port and device to check attributes.
 *
 * @param gids the GID table up to its last entry
 * @param pkeys the P_Key table
 * @param activeMtu largest path MTU in force
 * @param maxReadsAsResponder limit of MAX_DEST_RD_ATOMIC
 * @param maxReadsAsRequester limit of MAX_QP_RD_ATOMIC
 */
public record PortFacts(
    List<Gid> gids,
    List<Integer> pkeys,
    Mtu activeMtu,
    long maxReadsAsResponder,
    long maxReadsAsRequester) {
  /** Devices have one port. */
  static final int PORT_NUM = 1;
}
