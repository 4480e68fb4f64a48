// SPDX-License-Identifier: Apache-2.0
package io.queuepair.testkit.bench;

import io.queuepair.testkit.cli.Interruption;
import io.queuepair.testkit.cli.ProgressBar;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Measures rows of this version and of another one in turns, each time in a new JVM. A shared
 * machine changes from minute to minute: only what all turns show is a difference.
 *
 * @param settings how much is measured in each turn
 * @param before the JAR of the other version
 * @param progress for the user
 * @param interruption ends the run after the row that is being measured
 */
record VersionComparison(
    BenchmarkSettings settings, Path before, ProgressBar progress, Interruption interruption) {
  static final int TURNS = 3;

  /** What one version reached in all turns. */
  record Measured(List<BenchmarkResult> before, List<BenchmarkResult> now) {
    double medianBefore() {
      return median(before.stream());
    }

    double medianNow() {
      return median(now.stream());
    }

    private static double median(Stream<BenchmarkResult> turns) {
      return BenchmarkResult.median(turns.map(BenchmarkResult::median).toList());
    }

    /** This version by the other, in each turn. */
    List<Double> ratios() {
      List<Double> ratios = new ArrayList<>();
      for (int i = 0; i < now.size(); i++) {
        ratios.add(now.get(i).median() / before.get(i).median());
      }
      return ratios;
    }
  }

  /**
   * Measures and prints.
   *
   * @return the rows that both versions have, as far as they were measured
   * @throws IOException if a version cannot be run
   */
  Map<BenchmarkCase, Measured> print(List<BenchmarkCase> rows, PrintWriter out, boolean isMarkdown)
      throws IOException {
    Set<String> known = names();
    Table table = new Table(out, isMarkdown, -30, 10, 10, 8, -20);
    table.head("row", "before", "now", "ratio", "of each turn");
    Map<BenchmarkCase, Measured> results = new LinkedHashMap<>();
    for (BenchmarkCase row : rows) {
      if (!known.contains(row.name())) {
        table.line(row.name(), "", "", "", "not a row of " + before.getFileName());
        continue;
      }
      Measured measured = measure(row, results.size(), rows.size());
      if (interruption.isRequested()) {
        break;
      }
      results.put(row, measured);
      List<Double> ratios = measured.ratios();
      table.line(
          row.name(),
          row.unit().text(measured.medianBefore()),
          row.unit().text(measured.medianNow()),
          times(BenchmarkResult.median(ratios)),
          ratios.stream().map(VersionComparison::times).collect(Collectors.joining(", ")));
    }
    return results;
  }

  /** The rows that the other version has. */
  private Set<String> names() throws IOException {
    ProcessBuilder list =
        new ProcessBuilder(ChildJvm.executable(), "-jar", before.toString(), "bench", "--list");
    Process process = list.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    Set<String> names =
        process
            .inputReader(StandardCharsets.UTF_8)
            .lines()
            .filter(line -> !line.startsWith(" "))
            .collect(Collectors.toSet());
    if (names.isEmpty()) {
      throw new IOException(before + " lists no rows: it is no queuepair.jar that can bench");
    }
    return names;
  }

  private static String times(double ratio) {
    return String.format(Locale.ROOT, "x %.2f", ratio);
  }

  private Measured measure(BenchmarkCase row, int done, int all) throws IOException {
    Measured measured = new Measured(new ArrayList<>(), new ArrayList<>());
    String own = ChildJvm.ownClassPath();
    try {
      for (int turn = 0; turn < TURNS && !interruption.isRequested(); turn++) {
        progress.show(
            (long) TURNS * done + turn,
            (long) TURNS * all,
            "turns",
            row.name() + ", turn " + (turn + 1));
        measured.before().add(ForkedBenchmark.run(row, settings, before.toString()));
        measured.now().add(ForkedBenchmark.run(row, settings, own));
      }
    } catch (IOException ended) {
      if (!interruption.isRequested()) {
        throw ended; // Otherwise Ctrl-C has ended the JVM of the row, too.
      }
    } finally {
      progress.clear();
    }
    return measured;
  }
}
