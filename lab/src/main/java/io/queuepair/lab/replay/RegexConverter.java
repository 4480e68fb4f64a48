// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.replay;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Regular expressions; an error in one is reported in one line. */
final class RegexConverter implements ITypeConverter<Pattern> {
  @Override
  public Pattern convert(String text) {
    try {
      return Pattern.compile(text);
    } catch (PatternSyntaxException wrong) {
      String reason = wrong.getDescription();
      throw new TypeConversionException(
          "'"
              + text
              + "' is not a regular expression: "
              + Character.toLowerCase(reason.charAt(0))
              + reason.substring(1));
    }
  }
}
