// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Checks arguments: ranges of numbers, and options that exclude each other. */
public record RangeChecks(CommandLine command) {
  public void require(String what, int value, int least, int most) {
    require(
        value >= least && value <= most, what + " " + value + " is not " + least + " to " + most);
  }

  /** Refuses the arguments if a condition does not hold. */
  public void require(boolean isFine, String trouble) {
    if (!isFine) {
      throw new ParameterException(command, trouble);
    }
  }

  /** Whether the command line contains an option, whatever its value. */
  public boolean isGiven(String option) {
    return command.getParseResult().hasMatchedOption(option);
  }
}
