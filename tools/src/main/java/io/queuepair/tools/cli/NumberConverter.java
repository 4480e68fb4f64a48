// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Numbers as C programs read them: decimal, {@code 0x} hexadecimal, {@code 0} octal. */
public final class NumberConverter implements ITypeConverter<Integer> {
  @Override
  public Integer convert(String text) {
    try {
      return Integer.decode(text);
    } catch (NumberFormatException malformed) {
      throw new TypeConversionException("'" + text + "' is not a number up to 2147483647");
    }
  }
}
