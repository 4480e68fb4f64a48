// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import io.queuepair.lab.bench.Load.LoadOpener;

/**
 * A figure to measure, what it is to reach, and what stands beside it.
 *
 * @param unit of the figure, and of what stands beside it
 * @param referenceTitle what stands beside it; empty if nothing does
 * @param reference a load without devices, measured in turn with the figure; null if there is none
 */
record BenchmarkCase(
    String name,
    String title,
    Unit unit,
    Threshold threshold,
    LoadOpener load,
    String referenceTitle,
    LoadOpener reference) {
  BenchmarkCase(String name, String title, Unit unit, Threshold threshold, LoadOpener load) {
    this(name, title, unit, threshold, load, "", null);
  }

  BenchmarkCase beside(String otherTitle, LoadOpener other) {
    return new BenchmarkCase(name, title, unit, threshold, load, otherTitle, other);
  }
}
