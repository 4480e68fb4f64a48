// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.coverage;

import io.queuepair.emulator.profile.DeviceProfile;

/**
 * Receives what each device has covered, when its emulator is closed: for the coverage of a whole
 * run of tests. Implementations are found by {@link java.util.ServiceLoader}: name yours in a file
 * {@code META-INF/services/io.queuepair.emulator.coverage.CoverageSink}, and give it a public
 * constructor without parameters. One instance is made in a process.
 */
public interface CoverageSink {
  /**
   * Takes the coverage of one device. Called by the thread that closes the emulator, so possibly by
   * several threads at once; an exception makes the closing fail.
   *
   * @param profile profile of the device
   * @param coverage what it covered from its beginning to its end
   */
  void add(DeviceProfile profile, Coverage coverage);
}
