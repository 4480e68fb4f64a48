// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Refuses an empty name of a host, which Java takes for the loopback address. */
public final class HostConverter implements ITypeConverter<String> {
  @Override
  public String convert(String text) {
    if (text.isBlank()) {
      throw new TypeConversionException("'" + text + "' is no name or address of a host");
    }
    return text;
  }
}
