// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** A class of tests that JUnit has run within a test, with its reports in a directory. */
record EngineRun(EngineExecutionResults results, Path reports) {
  /** Parameters with which tests run at the same time. */
  static final String[] PARALLEL = {
    "junit.jupiter.execution.parallel.enabled", "true",
    "junit.jupiter.execution.parallel.mode.default", "concurrent",
    "junit.jupiter.execution.parallel.config.strategy", "fixed",
    "junit.jupiter.execution.parallel.config.fixed.parallelism", "4"
  };

  /** Settings of a pool that does not replace a thread that waits. */
  static final String[] ONE_THREAD = {
    "junit.jupiter.execution.parallel.enabled", "true",
    "junit.jupiter.execution.parallel.mode.default", "concurrent",
    "junit.jupiter.execution.parallel.config.strategy", "fixed",
    "junit.jupiter.execution.parallel.config.fixed.parallelism", "1",
    "junit.jupiter.execution.parallel.config.fixed.max-pool-size", "1"
  };

  static EngineRun of(Class<?> tests, Path reports, String... parameters) {
    EngineTestKit.Builder kit =
        EngineTestKit.engine("junit-jupiter")
            .selectors(selectClass(tests))
            .configurationParameter("queuepair.reports", reports.toString());
    for (int i = 0; i < parameters.length; i += 2) {
      kit = kit.configurationParameter(parameters[i], parameters[i + 1]);
    }
    return new EngineRun(kit.execute(), reports);
  }

  List<String> passed() {
    return results.testEvents().succeeded().stream()
        .map((Event event) -> event.getTestDescriptor().getDisplayName())
        .toList();
  }

  /** Failures in tests and in what is around them. */
  List<Throwable> failures() {
    return results.allEvents().failed().stream()
        .map((Event event) -> event.getRequiredPayload(TestExecutionResult.class))
        .map((TestExecutionResult result) -> result.getThrowable().orElseThrow())
        .toList();
  }

  Throwable onlyFailure() {
    List<Throwable> all = failures();
    if (all.size() != 1) {
      throw new AssertionError("not one failure but " + all);
    }
    return all.get(0);
  }

  /** The message of the only failure, {@link #comparable}. */
  String message() {
    return comparable(onlyFailure().getMessage());
  }

  /** The report of the only failure, {@link #comparable}. */
  String report() {
    Throwable[] suppressed = onlyFailure().getSuppressed();
    return comparable(suppressed[suppressed.length - 1].getMessage());
  }

  /**
   * A text without what differs between machines and versions: the directory of the reports, lines
   * of source files, numbers of lambdas, the name of the thread that runs a test, and the frames of
   * what is below the test and above it.
   */
  private String comparable(String text) {
    return text.replace(reports + "/", "")
        .replaceAll(
            "\\n *at (app//)?(org\\.junit|java\\.base|io\\.queuepair\\.emulator)\\S* *.*", "")
        .replace("at app//", "at ")
        .replaceAll("\\.java:\\d+", ".java")
        .replaceAll("\\$\\d+\\(", "(")
        .replaceAll(
            "thread (main|junit-timeout-thread-\\d+|ForkJoinPool-\\d+-worker-\\d+) ",
            "thread of the test ");
  }

  List<String> files() {
    try (Stream<Path> files = Files.list(reports)) {
      return files.map((Path file) -> file.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
