// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import io.queuepair.emulator.profile.DeviceProfile;
import picocli.CommandLine.Option;

/** Option {@code --profile}: which device to emulate. */
public final class ProfileOption {
  @Option(
      names = "--profile",
      paramLabel = "NAME",
      converter = ProfileName.ProfileNameConverter.class,
      defaultValue = "default",
      description = "Device to emulate: default (what the specification says) or soft-roce.")
  private ProfileName name;

  public ProfileName name() {
    return name;
  }

  public DeviceProfile profile() {
    return name.profile();
  }
}
