// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni;

import io.queuepair.verbs.VerbsConstant;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;

/** DiSNI's numbers as constants; what no constant stands for is refused as an adapter would. */
final class DisniFlags {
  private DisniFlags() {}

  /**
   * The constant of a number.
   *
   * @param code value of one constant
   * @throws IOException if there is no such constant
   */
  static <E extends Enum<E> & VerbsConstant> E one(
      Class<E> type, int code, String call, String field) throws IOException {
    for (E constant : type.getEnumConstants()) {
      if (constant.code() == code) {
        return constant;
      }
    }
    throw new IOException("j2c::" + call + ": " + field + " " + code + " does not exist");
  }

  /**
   * The constants of a mask.
   *
   * @param mask bits of constants
   * @throws IOException if a bit stands for no constant
   */
  static <E extends Enum<E> & VerbsConstant> Set<E> many(
      Class<E> type, int mask, String call, String field) throws IOException {
    Set<E> flags = EnumSet.noneOf(type);
    int rest = mask;
    for (E constant : type.getEnumConstants()) {
      if ((mask & constant.code()) != 0) {
        flags.add(constant);
        rest &= ~constant.code();
      }
    }
    if (rest != 0) {
      throw new IOException(
          "j2c::" + call + ": " + field + " has the unknown bits 0x" + Integer.toHexString(rest));
    }
    return flags;
  }
}
