// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

/**
 * The arrival of a packet of a run.
 *
 * @param number of the packet among those of the run, from 0
 * @param queuePair the one that it is for; empty if it has no name
 * @param dropReason why the host has no use for it; empty if it has taken it
 */
record ArrivedPacket(
    int number, long nanos, String host, String packet, String queuePair, String dropReason) {}
