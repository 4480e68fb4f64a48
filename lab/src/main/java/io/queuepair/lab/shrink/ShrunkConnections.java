// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.shrink;

import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.lab.cmsimulation.CmTestCase;
import java.util.ArrayList;
import java.util.List;

/** Describes what is left of a failing simulation of connections. */
public final class ShrunkConnections {
  private ShrunkConnections() {}

  /** Describes what is left and what happens, for people. */
  public static List<String> of(ShrinkResult<CmTestCase> shrunk) {
    List<String> lines = new ArrayList<>();
    lines.add("# Seed " + shrunk.smallest().seed() + " of connections, reduced");
    lines.add("");
    lines.add(shrunk.recording().outcome().failure().toString());
    lines.add("");
    FaultPlan faults = shrunk.smallest().faults();
    lines.add("Faults: " + (faults.isEmpty() ? "none" : faults));
    shrunk.smallest().connections().forEach(plan -> lines.add("Connection: " + plan));
    lines.add("");
    lines.addAll(shrunk.recording().lines());
    return lines;
  }
}
