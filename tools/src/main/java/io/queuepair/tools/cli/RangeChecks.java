// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * Checks of a command line: ranges of numbers, and options that exclude each other.
 *
 * @param command whose they are
 */
public record RangeChecks(CommandLine command) {
  /**
   * Refuses a number out of range.
   *
   * @param what its name, for the user
   * @param value the number
   * @param least the smallest that is fine
   * @param most the largest that is fine
   * @throws ParameterException if it is out of range
   */
  public void require(String what, int value, int least, int most) {
    require(
        value >= least && value <= most, what + " " + value + " is not " + least + " to " + most);
  }

  /**
   * Refuses options that do not fit.
   *
   * @param isFine whether they fit
   * @param trouble what is wrong, in one sentence
   * @throws ParameterException if they do not
   */
  public void require(boolean isFine, String trouble) {
    if (!isFine) {
      throw new ParameterException(command, trouble);
    }
  }

  /**
   * Whether the command line has an option, whatever its value.
   *
   * @param option its name, with dashes
   * @return false if it has its default
   */
  public boolean isGiven(String option) {
    return command.getParseResult().hasMatchedOption(option);
  }
}
