// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import io.queuepair.emulator.profile.DeviceProfile;
import java.util.Arrays;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The devices that a command can emulate, by the names used on the command line. */
public enum ProfileName {
  /** Behaviour of the documents. */
  STANDARD,

  /** Behaviour of Linux Soft-RoCE. */
  SOFT_ROCE;

  public DeviceProfile profile() {
    return switch (this) {
      case STANDARD -> DeviceProfile.standard();
      case SOFT_ROCE -> DeviceProfile.softRoce();
    };
  }

  /** The name on the command line, such as {@code soft-roce}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Reads a name of the command line. */
  public static final class ProfileNameConverter implements ITypeConverter<ProfileName> {
    @Override
    public ProfileName convert(String text) {
      if (text.equals("default")) {
        return STANDARD;
      }
      for (ProfileName name : values()) {
        if (name.toString().equals(text)) {
          return name;
        }
      }
      throw new TypeConversionException(
          "'" + text + "' is not one of " + Arrays.toString(values()));
    }
  }
}
