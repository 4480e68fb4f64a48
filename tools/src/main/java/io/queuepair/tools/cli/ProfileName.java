// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import io.queuepair.emulator.profile.DeviceProfile;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Device profiles, by their names on the command line. */
public enum ProfileName {
  /** Behaviour according to the specification and documentation. */
  STANDARD,

  /** Behaviour of Linux Soft-RoCE. */
  SOFT_ROCE;

  public DeviceProfile profile() {
    return switch (this) {
      case STANDARD -> DeviceProfile.standard();
      case SOFT_ROCE -> DeviceProfile.softRoce();
    };
  }

  /** Returns the name on the command line, such as {@code soft-roce}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

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
      throw new TypeConversionException("'" + text + "' is not one of default and " + SOFT_ROCE);
    }
  }
}
