// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts file names. */
public final class PathConverter implements ITypeConverter<Path> {
  @Override
  public Path convert(String text) {
    if (text.isEmpty()) {
      throw new TypeConversionException("'' is no name of a file");
    }
    try {
      return Path.of(text);
    } catch (InvalidPathException wrong) {
      throw new TypeConversionException(
          "'%s' is no name of a file in the character set of this system, %s: %s"
              .formatted(text, System.getProperty("sun.jnu.encoding"), wrong.getReason()));
    }
  }
}
