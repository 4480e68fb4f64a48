// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.support;

import java.io.PrintWriter;
import java.util.List;
import java.util.spi.ToolProvider;

/**
 * Result of a run of the command.
 *
 * @param exitCode the exit code
 * @param out standard output
 * @param err standard error
 */
public record CommandRun(int exitCode, String out, String err) {
  /** Runs the command to its end. */
  public static CommandRun of(String... args) {
    return of(new CommandTranscript(), args);
  }

  /** Runs the command to its end; the transcript shows its standard output meanwhile. */
  public static CommandRun of(CommandTranscript out, String... args) {
    CommandTranscript err = new CommandTranscript();
    ToolProvider queuepair = ToolProvider.findFirst("queuepair").orElseThrow();
    int exitCode = queuepair.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    return new CommandRun(exitCode, out.toString(), err.toString());
  }

  /** The lines of standard output. */
  public List<String> lines() {
    return out.lines().toList();
  }
}
