// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/** Scenarios that no one has written into a file yet. */
public final class ScenarioText {
  private static final Path NOWHERE = Path.of("scenario");

  private ScenarioText() {}

  /**
   * Lets a scenario expect what happens.
   *
   * @param lines of a scenario file, with or without expectations
   * @return the lines with a block of what happens
   * @throws RuntimeException if a statement cannot be understood or carried out
   */
  public static List<String> recorded(List<String> lines) {
    ScenarioFile file = ScenarioFile.of(NOWHERE, lines);
    ScenarioRun run =
        ScenarioRun.of(file, StateRecorder.NO_WATCHER, UnaryOperator.identity()).orThrow();
    return file.expecting(run.lines());
  }
}
