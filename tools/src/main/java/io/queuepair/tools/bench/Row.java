package io.queuepair.tools.bench;

import java.util.List;

/**
 * A figure to measure, and what stands beside it.
 *
 * @param name what it is called on the command line
 * @param title what is measured
 * @param unit of the figure and of what stands beside it
 * @param goal what it is to reach; null if it is a point of a sweep
 * @param probe gets the figure
 * @param reference what stands beside it; null if nothing does
 * @param jvmOptions what its JVM is started with
 */
record Row(
    String name,
    String title,
    Unit unit,
    Goal goal,
    Probe probe,
    Reference reference,
    List<String> jvmOptions) {

  /**
   * A figure of the same run to compare with: a ceiling, or the same with less to do.
   *
   * @param title what it is
   * @param probe gets it
   */
  record Reference(String title, Probe probe) {}

  static Row of(String name, String title, Unit unit, Goal goal, Probe probe) {
    return new Row(name, title, unit, goal, probe, null, List.of());
  }

  Row beside(String referenceTitle, Probe referenceProbe) {
    Reference other = new Reference(referenceTitle, referenceProbe);
    return new Row(name, title, unit, goal, probe, other, jvmOptions);
  }

  Row withJvm(String... options) {
    return new Row(name, title, unit, goal, probe, reference, List.of(options));
  }

  String referenceTitle() {
    return reference == null ? "" : reference.title();
  }
}
