// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.faults.FaultSyntaxException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;

/** Option {@code --faults} of commands with traffic: the plan of injected faults. */
public final class FaultsOption {
  private static final String NAME = "--faults";
  private static final String FILE_SIGN = "@";

  @Option(
      names = NAME,
      paramLabel = "PLAN|@FILE",
      converter = FaultPlanConverter.class,
      description =
          "Let things go wrong: statements with semicolons between them, or a file of such, for"
              + " example 'drop 1%%; delay up to 20us 5%%; port 10.0.0.1 down at 1ms for 2ms'."
              + " The language is explained in docs/faults.md.")
  private FaultPlan plan = FaultPlan.none();

  /** Returns the plan; it has no statements if the option was not given. */
  public FaultPlan plan() {
    return plan;
  }

  /** Returns the option as text, after a blank, for a command line; empty without a plan. */
  public String text() {
    return plan.isEmpty() ? "" : " " + NAME + " '" + plan + "'";
  }

  /** Returns the file that contains the plan; empty if the plan is in the argument or not given. */
  public static Optional<Path> file(ParseResult arguments) {
    if (!arguments.hasMatchedOption(NAME)) {
      return Optional.empty();
    }
    return arguments.matchedOption(NAME).originalStringValues().stream()
        .filter(FaultsOption::isFile)
        .map(FaultsOption::path)
        .findFirst();
  }

  private static boolean isFile(String text) {
    return text.startsWith(FILE_SIGN);
  }

  private static Path path(String text) {
    return new PathConverter().convert(text.substring(FILE_SIGN.length()));
  }

  /** Converts a plan, or {@code @} and the name of a file with one. */
  public static final class FaultPlanConverter implements ITypeConverter<FaultPlan> {
    @Override
    public FaultPlan convert(String text) {
      try {
        return FaultPlan.parse(isFile(text) ? InputFile.text(path(text)) : text);
      } catch (FaultSyntaxException exception) {
        throw new TypeConversionException(exception.getMessage());
      } catch (IOException unreadable) {
        throw new TypeConversionException(
            path(text) + " cannot be read: " + ErrorReporter.why(unreadable));
      }
    }
  }
}
