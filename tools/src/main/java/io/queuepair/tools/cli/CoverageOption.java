// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.coverage.CoverageGroup;
import io.queuepair.emulator.coverage.CoverageTable;
import io.queuepair.verbs.QpType;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Options {@code --coverage}, {@code --coverage-min}, {@code --coverage-type}. */
public final class CoverageOption {
  private static final int BELOW = 1;
  private static final int WHOLE = 100;

  @Option(
      names = "--coverage",
      description =
          "Print which states, transitions, opcodes, NAK codes, statuses, events, checks and drop"
              + " reasons the devices covered, how often, and which they missed"
              + " (docs/coverage.md).")
  private boolean isAsked;

  @Option(
      names = "--coverage-min",
      paramLabel = "PERCENT",
      converter = PercentConverter.class,
      description =
          "The same, and exit with 1 if less than this share of what is possible was met in any of"
              + " these; what is missing is named.")
  private Double minPercent;

  @Option(
      names = "--coverage-type",
      paramLabel = "TYPE",
      description =
          "The same for queue pairs of one type: states, transitions and opcodes of others are left"
              + " out. ${COMPLETION-CANDIDATES}.")
  private QpType type;

  public boolean isWanted() {
    return isAsked || minPercent != null || type != null;
  }

  public static final class PercentConverter implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      try {
        double percent = Double.parseDouble(text);
        if (percent >= 0 && percent <= WHOLE) {
          return percent;
        }
      } catch (NumberFormatException malformed) {
        throw refused(text);
      }
      throw refused(text);
    }

    private static TypeConversionException refused(String text) {
      return new TypeConversionException("'" + text + "' is not a percentage, 0 to " + WHOLE);
    }
  }

  /** Prints the coverage, if asked for, and returns the exit code: 1 if it is too low. */
  public int report(Coverage met, PrintWriter out) {
    if (!isWanted()) {
      return 0;
    }
    if (met.isEmpty()) {
      out.println("no coverage: there was no device");
      return minPercent == null ? 0 : BELOW;
    }
    Coverage coverage = type == null ? met : met.of(type);
    CoverageTable.linesOf(coverage).forEach(out::println);
    if (minPercent == null) {
      return 0;
    }
    int exitCode = 0;
    for (CoverageGroup group : CoverageGroup.values()) {
      double percent = coverage.percent(group);
      if (percent < minPercent) {
        exitCode = BELOW;
        out.println(
            String.format(
                Locale.ROOT,
                "coverage of %s is %.1f %%, less than %s %%; missing: %s",
                group.text(),
                percent,
                minPercent,
                String.join(", ", coverage.missing(group))));
      }
    }
    return exitCode;
  }
}
