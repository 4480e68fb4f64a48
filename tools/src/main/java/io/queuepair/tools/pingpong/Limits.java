package io.queuepair.tools.pingpong;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * The ranges of numbers on a command line.
 *
 * @param command whose they are
 */
record Limits(CommandLine command) {
  /** Refuses a number out of range. */
  void require(String what, int value, int least, int most) {
    if (value < least || value > most) {
      throw new ParameterException(
          command, what + " " + value + " is not " + least + " to " + most);
    }
  }
}
