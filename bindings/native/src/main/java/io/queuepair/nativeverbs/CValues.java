// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.VerbsConstant;
import io.queuepair.verbs.VerbsException;
import java.util.EnumSet;
import java.util.Set;
import java.util.StringJoiner;

/** Converts values of C to constants; EINVAL for unknown values and bits. */
final class CValues {
  /** Access flags that a device may ignore if it does not know them. */
  private static final int OPTIONAL_ACCESS = 0x3ff00000;

  private CValues() {}

  /**
   * Converts a value.
   *
   * @param attribute name of the member or argument, for the error
   */
  static <E extends Enum<E> & VerbsConstant> E one(String attribute, Class<E> type, int code) {
    return VerbsConstant.of(type, code)
        .orElseThrow(() -> refused(attribute + " " + code + " is none of " + known(type, code)));
  }

  /** All values, for an error; path_mtu is a code, often confused with its bytes. */
  private static <E extends Enum<E> & VerbsConstant> String known(Class<E> type, int code) {
    StringJoiner values = new StringJoiner(", ");
    for (E constant : type.getEnumConstants()) {
      values.add(constant.code() + " (" + constant.name() + ")");
      if (constant instanceof Mtu mtu && mtu.bytes() == code) {
        return "the codes 1 to 5: for " + code + " bytes it is " + mtu.code();
      }
    }
    return values.toString();
  }

  static <E extends Enum<E> & VerbsConstant> Set<E> flags(Class<E> type, long mask) {
    try {
      return VerbsConstant.exactFlags(type, mask);
    } catch (IllegalArgumentException unknown) {
      throw refused(unknown.getMessage());
    }
  }

  static Set<AccessFlag> access(int mask) {
    int known = VerbsConstant.mask(EnumSet.allOf(AccessFlag.class));
    return flags(AccessFlag.class, Integer.toUnsignedLong(mask & ~(OPTIONAL_ACCESS & ~known)));
  }

  static VerbsException refused(String reason) {
    return new VerbsException(Errno.EINVAL, Refusals.UNKNOWN_VERB, reason);
  }
}
