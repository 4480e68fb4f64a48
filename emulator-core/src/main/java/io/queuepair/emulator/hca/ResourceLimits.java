// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;

/** Counts the objects of each kind against the limits of the device. */
final class ResourceLimits {
  private final DeviceProfile profile;

  ResourceLimits(DeviceProfile profile) {
    this.profile = profile;
  }

  /** Refuses one more, with ENOMEM, if the limit is used up. */
  void check(String verb, DeviceLimit limit, long used) {
    long max = profile.limit(limit);
    if (used >= max) {
      throw new VerbsException(
          Errno.ENOMEM, verb, "all " + max + " are in use (" + limit.fieldName() + ")");
    }
  }
}
