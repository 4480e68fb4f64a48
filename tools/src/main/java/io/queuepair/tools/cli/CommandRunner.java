// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.IExecutionStrategy;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/** Runs the command, and checks its input and output files before. */
public final class CommandRunner implements IExecutionStrategy {
  private static final int FAILED = 1;

  @Override
  public int execute(ParseResult arguments) {
    ParseResult last = last(arguments);
    if (!last.isUsageHelpRequested() && !last.isVersionHelpRequested()) {
      new FileArguments(last).probeOutputs();
    }
    int exitCode = new RunLast().execute(arguments);
    Optional<String> trouble = captureTrouble(last.commandSpec());
    trouble.ifPresent(sentence -> say(last.commandSpec(), sentence));
    boolean isFailure = faultsFail(last.commandSpec()) || trouble.isPresent();
    return isFailure && exitCode == 0 ? FAILED : exitCode;
  }

  /** Prints faults that were never applied; returns whether that counts as a failure. */
  private static boolean faultsFail(CommandSpec command) {
    boolean fail = false;
    for (Object mixin : mixedInto(command).toList()) {
      if (mixin instanceof StrictFaultsOption faults) {
        faults.warnings().forEach(sentence -> say(command, sentence));
        fail |= faults.isStrict() && !faults.warnings().isEmpty();
      }
    }
    return fail;
  }

  private static ParseResult last(ParseResult arguments) {
    return arguments.hasSubcommand() ? last(arguments.subcommand()) : arguments;
  }

  /** Message about an incomplete capture; it does not stop the command itself. */
  private static Optional<String> captureTrouble(CommandSpec command) {
    return mixedInto(command)
        .filter(CaptureOption.class::isInstance)
        .map(CaptureOption.class::cast)
        .flatMap(capture -> capture.trouble().stream())
        .findFirst();
  }

  private static Stream<Object> mixedInto(CommandSpec command) {
    return command.mixins().values().stream()
        .flatMap(mixin -> Stream.concat(Stream.of(mixin.userObject()), mixedInto(mixin)));
  }

  private static void say(CommandSpec command, String sentence) {
    command.commandLine().getErr().println(command.qualifiedName() + ": " + sentence);
  }
}
