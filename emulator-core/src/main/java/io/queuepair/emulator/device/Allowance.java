package io.queuepair.emulator.device;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;

/** How many objects of each kind the device has room for. */
final class Allowance {
  private final DeviceProfile profile;

  Allowance(DeviceProfile profile) {
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
