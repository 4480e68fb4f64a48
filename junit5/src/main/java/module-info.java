// SPDX-License-Identifier: Apache-2.0
/** Networks and connected queue pairs as parameters of JUnit tests, with a report on failure. */
module io.queuepair.junit {
  requires transitive io.queuepair.emulator;
  requires transitive org.junit.jupiter.api;
  requires io.queuepair.udp;
  requires org.slf4j;
  // Optional: used only by a class that the launcher itself loads.
  requires static org.junit.platform.launcher;

  exports io.queuepair.junit5;

  provides io.queuepair.emulator.coverage.CoverageSink with
      io.queuepair.junit5.coverage.RunCoverage;
  provides org.junit.platform.launcher.LauncherSessionListener with
      io.queuepair.junit5.coverage.CoverageGate;
}
