// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;

/** The verbs that a provider may leave unimplemented. */
final class OptionalVerbs {
  private OptionalVerbs() {}

  /** Refuses a verb that the device leaves out. */
  public static void check(String verb, DeviceProfile profile) {
    if (profile.has(Quirk.OPTIONAL_VERBS_MISSING)) {
      throw new VerbsException(Errno.EOPNOTSUPP, verb, "the device does not offer this verb");
    }
  }
}
