// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import java.util.List;

/**
 * One point of a run.
 *
 * @param statement that statement, if it has just been carried out; empty for an event within one
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
