// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.util.List;

/**
 * A figure to measure, and what stands beside it.
 *
 * @param name what it is called on the command line
 * @param title what is measured
 * @param unit of the figure and of what stands beside it
 * @param threshold what it is to reach; null if it is a point of a sweep
 * @param probe gets the figure
 * @param reference what stands beside it; null if nothing does
 * @param jvmOptions what its JVM is started with
 */
record BenchmarkCase(
    String name,
    String title,
    Unit unit,
    Threshold threshold,
    LoadFactory probe,
    Reference reference,
    List<String> jvmOptions) {

  /**
   * A figure of the same run to compare with: a ceiling, or the same with less to do.
   *
   * @param title what it is
   * @param probe gets it
   */
  record Reference(String title, LoadFactory probe) {}

  static BenchmarkCase of(
      String name, String title, Unit unit, Threshold threshold, LoadFactory probe) {
    return new BenchmarkCase(name, title, unit, threshold, probe, null, List.of());
  }

  BenchmarkCase beside(String referenceTitle, LoadFactory referenceProbe) {
    Reference other = new Reference(referenceTitle, referenceProbe);
    return new BenchmarkCase(name, title, unit, threshold, probe, other, jvmOptions);
  }

  BenchmarkCase withJvm(String... options) {
    return new BenchmarkCase(name, title, unit, threshold, probe, reference, List.of(options));
  }

  String referenceTitle() {
    return reference == null ? "" : reference.title();
  }
}
