// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;

/** Checks that a device has room for one more object, and offers a verb. */
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

  /** Refuses a verb that a provider may leave unimplemented, if the device does. */
  static void checkOffered(String verb, DeviceProfile profile) {
    if (profile.has(Quirk.OPTIONAL_VERBS_MISSING)) {
      throw new VerbsException(Errno.EOPNOTSUPP, verb, "the device does not offer this verb");
    }
  }
}
