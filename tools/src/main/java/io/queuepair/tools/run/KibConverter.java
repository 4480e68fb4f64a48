// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.run;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts a number of KiB, 0 or more, to bytes. */
final class KibConverter implements ITypeConverter<Long> {
  @Override
  public Long convert(String text) {
    try {
      return (long) Integer.parseUnsignedInt(text) & 0xffff_ffffL;
    } catch (NumberFormatException malformed) {
      throw new TypeConversionException("'" + text + "' is not a number of KiB up to 4294967295");
    }
  }
}
