// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.shrink;

import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.lab.cmsimulation.CmTestCase;
import java.util.ArrayList;
import java.util.List;

/** Describes a reduced simulation of connections that fails. */
public final class ShrunkConnections {
  private ShrunkConnections() {}

  /** Describes the reduced test case and its events as lines of text. */
  public static List<String> of(ShrinkResult<CmTestCase> result) {
    List<String> lines = new ArrayList<>();
    lines.add("# Seed " + result.smallest().seed() + " of connections, reduced");
    lines.add("");
    lines.add(result.recording().outcome().failure().toString());
    lines.add("");
    FaultPlan faults = result.smallest().faults();
    lines.add("Faults: " + (faults.isEmpty() ? "none" : faults));
    result.smallest().connections().forEach(plan -> lines.add("Connection: " + plan));
    lines.add("");
    lines.addAll(result.recording().lines());
    return lines;
  }
}
