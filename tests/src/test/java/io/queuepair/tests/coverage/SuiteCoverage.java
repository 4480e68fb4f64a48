// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.coverage;

import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.coverage.CoverageSink;
import io.queuepair.emulator.profile.DeviceProfile;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects what all devices of this run of tests covered. It is shared between tests on purpose: it
 * is about all of them.
 */
public final class SuiteCoverage implements CoverageSink {
  private static final Object LOCK = new Object();
  private static final List<String> SURPRISES = new ArrayList<>();
  private static Coverage ofDefaultProfile = new Coverage();

  /** Creates it, for the service loader. */
  public SuiteCoverage() {}

  @Override
  public void add(DeviceProfile profile, Coverage coverage) {
    synchronized (LOCK) {
      coverage.unexpectedHits().forEach((group, names) -> SURPRISES.add(group + " " + names));
      if (isLikeTheDefault(profile)) {
        ofDefaultProfile = ofDefaultProfile.plus(coverage);
      }
    }
  }

  /**
   * Whether a device can meet what one of the default profile can: it may be watched, or slower.
   */
  private static boolean isLikeTheDefault(DeviceProfile profile) {
    DeviceProfile standard = DeviceProfile.standard();
    return profile.quirks().equals(standard.quirks())
        && profile.capabilities().equals(standard.capabilities());
  }

  /** Coverage so far by devices that can do all that the default profile can. */
  static Coverage ofDefaultProfile() {
    synchronized (LOCK) {
      return ofDefaultProfile;
    }
  }

  /** Coverage by devices of any profile that are said to be unable to. */
  static List<String> unexpectedHits() {
    synchronized (LOCK) {
      return List.copyOf(SURPRISES);
    }
  }
}
