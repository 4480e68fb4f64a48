// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import java.util.Map;
import picocli.CommandLine.ParameterException;

/** The local ACK timeout code: what the option says, else what the environment says, else 14. */
public final class AckTimeoutCode {
  private static final String VARIABLE = "QUEUEPAIR_ACK_TIMEOUT";
  private static final int USUAL = 14;
  private static final int MOST = 31;

  private AckTimeoutCode() {}

  /**
   * Finds out the code.
   *
   * @param rangeChecks of the command
   * @param given the value of the option; null without
   * @param environment all variables; one that is empty says nothing
   * @return 0 to 31
   * @throws ParameterException if what decides is no such code
   */
  public static int code(RangeChecks rangeChecks, String given, Map<String, String> environment) {
    if (given != null) {
      return parse(rangeChecks, given, "ACK timeout code " + given);
    }
    String variable = environment.getOrDefault(VARIABLE, "");
    return variable.isEmpty()
        ? USUAL
        : parse(rangeChecks, variable, "environment variable " + VARIABLE + "=" + variable);
  }

  private static int parse(RangeChecks rangeChecks, String text, String what) {
    String trouble = what + " is not 0 to " + MOST;
    try {
      int code = Integer.decode(text);
      rangeChecks.require(code >= 0 && code <= MOST, trouble);
      return code;
    } catch (NumberFormatException malformed) {
      throw new ParameterException(rangeChecks.command(), trouble, malformed);
    }
  }
}
