// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** A constant of the verbs C headers: an enum constant here, its C value in {@link #code()}. */
public interface VerbsConstant {
  /**
   * The value of this constant in the C headers.
   *
   * @return the C value; for flags a single bit
   */
  int code();

  /**
   * The C bit mask of a set of flags.
   *
   * @param flags the flags, each with a {@link #code()} of one bit
   * @return the codes combined with bitwise or
   */
  static int mask(Collection<? extends VerbsConstant> flags) {
    int mask = 0;
    for (VerbsConstant flag : flags) {
      mask |= flag.code();
    }
    return mask;
  }

  /**
   * The set of flags in a C bit mask; bits without a constant are ignored.
   *
   * @param type the enum of the flags
   * @param mask the C bit mask
   * @param <E> the enum of the flags
   * @return a new set, in bit order
   */
  static <E extends Enum<E> & VerbsConstant> Set<E> flags(Class<E> type, int mask) {
    Set<E> flags = EnumSet.noneOf(type);
    for (E constant : type.getEnumConstants()) {
      if ((mask & constant.code()) != 0) {
        flags.add(constant);
      }
    }
    return flags;
  }

  /**
   * The constant with a C value.
   *
   * @param type the enum
   * @param code the C value
   * @param <E> the enum
   * @return empty if there is none
   */
  static <E extends Enum<E> & VerbsConstant> Optional<E> of(Class<E> type, int code) {
    for (E constant : type.getEnumConstants()) {
      if (constant.code() == code) {
        return Optional.of(constant);
      }
    }
    return Optional.empty();
  }

  /**
   * The set of flags in a C bit mask, in which no other bit may be.
   *
   * @param type the enum of the flags
   * @param mask the C bit mask
   * @param <E> the enum of the flags
   * @return an immutable set
   * @throws IllegalArgumentException if there is no constant for a bit; it names the bits
   */
  static <E extends Enum<E> & VerbsConstant> Set<E> exactFlags(Class<E> type, long mask) {
    Set<E> flags = EnumSet.noneOf(type);
    long unknown = mask;
    for (E constant : type.getEnumConstants()) {
      long bit = Integer.toUnsignedLong(constant.code());
      if ((mask & bit) != 0) {
        flags.add(constant);
        unknown &= ~bit;
      }
    }
    if (unknown != 0) {
      throw new IllegalArgumentException(
          "0x" + Long.toHexString(unknown) + " is no " + type.getSimpleName());
    }
    return FlagSet.copyOf(flags, "flags");
  }
}
