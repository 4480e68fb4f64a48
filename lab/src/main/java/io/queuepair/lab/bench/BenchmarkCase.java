// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import io.queuepair.lab.bench.Load.LoadOpener;

/**
 * Row of the benchmark: a load, its unit, its goal and its reference.
 *
 * @param unit of the figure and of the reference
 * @param threshold goal; null for a bound of another row, and for one that has nothing beside it
 * @param referenceTitle name of the reference; empty if there is none
 * @param reference load without RDMA devices, measured in turn with the figure; null if there is
 *     none
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

  String goal() {
    return threshold == null ? "" : threshold.text(unit);
  }

  /** This row beside a program, or without a goal if that is not installed. */
  BenchmarkCase besideProgram(ExternalLoad program) {
    return program.isInstalled()
        ? beside(program.title(), () -> program)
        : new BenchmarkCase(name, title, unit, null, load);
  }

  BenchmarkCase beside(String otherTitle, LoadOpener other) {
    return new BenchmarkCase(name, title, unit, threshold, load, otherTitle, other);
  }
}
