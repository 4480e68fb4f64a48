// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5.coverage;

import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.coverage.CoverageGroup;
import io.queuepair.verbs.QpType;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Prints at the end of a run how much of RDMA its tests covered, and fails the run if that is too
 * little. Launchers find it by {@code ServiceLoader}. System properties:
 *
 * <ul>
 *   <li>{@code queuepair.coverage}: {@code all}, or a type of queue pair such as {@code RC}, whose
 *       states, transitions and opcodes alone count; prints the shares and what is missing
 *   <li>{@code queuepair.coverage.min}: the least share of each group in percent, such as {@code
 *       10}, or of some groups, such as {@code STATE=60,STATUS=20}; a run without any device fails,
 *       too
 * </ul>
 *
 * <p>It covers one process: each fork of a build is a run of its own.
 */
public final class CoverageGate implements LauncherSessionListener {
  private static final String TYPE = "queuepair.coverage";
  private static final String MINIMUM = "queuepair.coverage.min";
  private static final String ALL = "all";

  /** Called by launchers. */
  public CoverageGate() {}

  static boolean isWanted() {
    return System.getProperty(TYPE) != null || System.getProperty(MINIMUM) != null;
  }

  /**
   * Prints the coverage, and fails if it is too low.
   *
   * @throws IllegalStateException if a group is below its minimum, or no device was looked at
   * @throws IllegalArgumentException if a property is malformed
   */
  @Override
  public void launcherSessionClosed(LauncherSession session) {
    if (isWanted()) {
      String type = System.getProperty(TYPE, ALL);
      Coverage met = RunCoverage.total();
      Coverage coverage = type.equals(ALL) ? met : met.of(type(type));
      linesOf(coverage).forEach(System.out::println);
      String minimum = System.getProperty(MINIMUM);
      if (minimum != null) {
        check(coverage, minimum);
      }
    }
  }

  static QpType type(String text) {
    try {
      return QpType.valueOf(text);
    } catch (IllegalArgumentException unknown) {
      throw new IllegalArgumentException(
          "%s is %s, and should be %s or one of %s"
              .formatted(TYPE, text, ALL, List.of(QpType.values())),
          unknown);
    }
  }

  static List<String> linesOf(Coverage coverage) {
    if (coverage.isEmpty()) {
      return List.of("coverage of RDMA: none, as no device was looked at");
    }
    List<String> lines = new ArrayList<>(List.of("coverage of RDMA:"));
    for (CoverageGroup group : CoverageGroup.values()) {
      lines.add(share(coverage, group));
    }
    return lines;
  }

  private static String share(Coverage coverage, CoverageGroup group) {
    String missing = String.join(", ", coverage.missing(group));
    return String.format(
        Locale.ROOT,
        "  %-22s %5.1f %%%s",
        group,
        coverage.percent(group),
        missing.isEmpty() ? "" : "; missing: " + missing);
  }

  static void check(Coverage coverage, String minimum) {
    if (coverage.isEmpty()) {
      throw new IllegalStateException(
          MINIMUM + " is " + minimum + ", but no device was looked at: no test used one");
    }
    List<String> low = new ArrayList<>();
    minima(minimum)
        .forEach(
            (group, percent) -> {
              if (coverage.percent(group) < percent) {
                low.add(share(coverage, group));
              }
            });
    if (!low.isEmpty()) {
      throw new IllegalStateException(
          "too little of RDMA was met (%s is %s):\n%s"
              .formatted(MINIMUM, minimum, String.join("\n", low)));
    }
  }

  private static Map<CoverageGroup, Double> minima(String text) {
    Map<CoverageGroup, Double> minima = new EnumMap<>(CoverageGroup.class);
    try {
      for (String each : text.split(",", -1)) {
        int equals = each.indexOf('=');
        double percent = percent(each.substring(equals + 1));
        if (equals < 0 && minima.isEmpty()) {
          List.of(CoverageGroup.values()).forEach(group -> minima.put(group, percent));
        } else {
          minima.put(CoverageGroup.valueOf(each.substring(0, equals).strip()), percent);
        }
      }
    } catch (IllegalArgumentException | IndexOutOfBoundsException malformed) {
      throw new IllegalArgumentException(
          ("%s is %s, and should be a percentage, or several by name, such as STATE=60,STATUS=20;"
                  + " the names are %s")
              .formatted(MINIMUM, text, List.of(CoverageGroup.values())),
          malformed);
    }
    return minima;
  }

  private static double percent(String text) {
    double percent = Double.parseDouble(text.strip());
    if (percent >= 0 && percent <= 100) {
      return percent;
    }
    throw new IllegalArgumentException(text + " is not 0 to 100");
  }
}
