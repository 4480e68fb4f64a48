// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.tests.conformance.Errnos;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import java.util.function.Function;

/** A device with room for few objects of one kind, to see that closed ones give their room back. */
record LimitedDevice(Context context, int limit) {
  /** Adds the device to the network of a host. */
  static LimitedDevice of(SuiteHost host, DeviceLimit kind, int limit) {
    DeviceProfile profile = DeviceProfile.standard().withLimit(kind, limit);
    return new LimitedDevice(host.emulator().addDevice(profile, "10.0.0.2").open(), limit);
  }

  /** How many objects can be created until the device is full. */
  <T> int room(Function<Context, T> create) {
    int created = 0;
    while (Errnos.of(() -> create.apply(context)) != Errno.ENOMEM) {
      created++;
    }
    return created;
  }
}
