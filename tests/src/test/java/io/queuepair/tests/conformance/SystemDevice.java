// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.Verbs;
import io.queuepair.verbs.WorkCompletion;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;

/**
 * A device of the system, such as one of Linux Soft-RoCE, that tests run on in place of emulated
 * ones: both sides of a {@link Pair} are on it. Tests that need an emulated network are skipped.
 * {@link SystemConformance} names the device.
 */
final class SystemDevice {
  /** The property that names the device; without it all devices are emulated. */
  static final String PROPERTY = "queuepair.tests.device";

  private static final String NAME = System.getProperty(PROPERTY);

  /** Longer than the retries of a send whose peer does not answer. */
  private static final Duration SETTLED =
      Duration.ofMillis(Integer.getInteger("queuepair.tests.settle", 500));

  private static final Duration LIMIT = Duration.ofSeconds(10);

  private SystemDevice() {}

  static boolean isNamed() {
    return NAME != null;
  }

  static Device device() {
    List<Device> devices = Verbs.devices();
    return devices.stream()
        .filter(device -> device.name().equals(NAME))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(NAME + " is not among " + devices));
  }

  /** Skips the test if it is about a network of a given kind, or a device with other features. */
  static void skipUnless(LinkForm form, DeviceProfile profile) {
    if (isNamed()) {
      Assumptions.assumeTrue(form != null, "it needs a network of its own");
      Assumptions.assumeTrue(form != LinkForm.WIRE_EXACT, "it is the same on every network");
      Assumptions.assumeTrue(
          profile.equals(DeviceProfile.standard()), "it needs an emulated device of its own");
    }
  }

  /** Waits until whatever was posted has become of it: in real time nothing tells. */
  static void settle() {
    pass(SETTLED);
  }

  static void pass(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  static WorkCompletion await(CompletionQueue cq) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (System.nanoTime() - end < 0) {
      List<WorkCompletion> taken = cq.poll(1);
      if (!taken.isEmpty()) {
        return taken.get(0);
      }
      Thread.onSpinWait();
    }
    throw new AssertionError("no completion within " + LIMIT);
  }
}
