package io.queuepair.tests.coverage;

import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.coverage.CoverageSink;
import io.queuepair.emulator.profile.DeviceProfile;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects what all devices of this run of tests came across. It is shared between tests on
 * purpose: it is about all of them.
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
      coverage.surprises().forEach((aspect, names) -> SURPRISES.add(aspect + " " + names));
      if (profile == DeviceProfile.standard()) {
        ofDefaultProfile = ofDefaultProfile.plus(coverage);
      }
    }
  }

  /** What devices of exactly the default profile came across so far. */
  static Coverage ofDefaultProfile() {
    synchronized (LOCK) {
      return ofDefaultProfile;
    }
  }

  /** What devices of any profile came across though they are said to be unable to. */
  static List<String> surprises() {
    synchronized (LOCK) {
      return List.copyOf(SURPRISES);
    }
  }
}
