// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import java.util.List;

/**
 * One step of a run.
 *
 * @param line number of the line with the current statement
 * @param nanos virtual time
 * @param statement text of the statement, if this step is its execution; empty for a network event
 * @param failure reason why the run stops here; empty if it continues
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
