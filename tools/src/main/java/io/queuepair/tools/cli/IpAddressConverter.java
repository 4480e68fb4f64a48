// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import io.queuepair.emulator.fabric.IpAddress;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts IP addresses; host names and interface names are refused. */
public final class IpAddressConverter implements ITypeConverter<String> {
  @Override
  public String convert(String text) {
    try {
      IpAddress.parse(text);
      return text;
    } catch (IllegalArgumentException malformed) {
      throw new TypeConversionException("'" + text + "' is not an IP address");
    }
  }
}
