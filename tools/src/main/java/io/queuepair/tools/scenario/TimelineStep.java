// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import java.util.List;

/**
 * One point of a run.
 *
 * @param line of the statement that is being carried out
 * @param nanos the time of the network
 * @param statement that statement, if it has just been carried out; empty for an event within one
 * @param output what happened: packets, changes of state, what was printed
 * @param packets those of the output
 * @param arrivals packets that have arrived
 * @param objects every queue pair and queue as it is now
 * @param memory every region and window as it is now
 * @param failure why the run stops here; empty if it does not
 */
record TimelineStep(
    int line,
    long nanos,
    String statement,
    List<String> output,
    List<NumberedPacket> packets,
    List<ArrivedPacket> arrivals,
    List<ObjectView> objects,
    List<MemoryView> memory,
    String failure) {}
