// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5.coverage;

import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.coverage.CoverageSink;
import io.queuepair.emulator.profile.DeviceProfile;

/** Adds up coverage for {@link CoverageGate}; found by {@code ServiceLoader}. */
public final class RunCoverage implements CoverageSink {
  /** Static, as different loaders create the sink and the listener; guarded by the class. */
  private static Coverage total = new Coverage();

  /** Called by emulators. */
  public RunCoverage() {}

  @Override
  public void add(DeviceProfile profile, Coverage coverage) {
    if (CoverageGate.isWanted()) {
      synchronized (RunCoverage.class) {
        total = total.plus(coverage);
      }
    }
  }

  static Coverage total() {
    synchronized (RunCoverage.class) {
      return total;
    }
  }
}
