package io.queuepair.tools.cli;

import picocli.CommandLine.IExecutionStrategy;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/** Runs the command that was named, if the files that it is to write can be written. */
public final class Execution implements IExecutionStrategy {
  /** Creates it. */
  public Execution() {}

  /**
   * Runs it.
   *
   * @param arguments the command line
   * @return the exit code
   * @throws ParameterException if an output cannot be written, or is an input too
   */
  @Override
  public int execute(ParseResult arguments) {
    ParseResult last = arguments;
    while (last.hasSubcommand()) {
      last = last.subcommand();
    }
    if (!last.isUsageHelpRequested() && !last.isVersionHelpRequested()) {
      new NamedFiles(last).probeOutputs();
    }
    return new RunLast().execute(arguments);
  }
}
