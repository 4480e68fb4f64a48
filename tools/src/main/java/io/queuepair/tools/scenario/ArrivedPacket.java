// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

/**
 * Arrival of a packet.
 *
 * @param number of the packet in the run, from 0
 * @param queuePair name of the destination queue pair; empty if it has none
 * @param dropReason reason why the host dropped the packet; empty if it did not
 */
record ArrivedPacket(
    int number, long nanos, String host, String packet, String queuePair, String dropReason) {}
