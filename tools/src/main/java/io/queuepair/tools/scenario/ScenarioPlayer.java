// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import io.queuepair.emulator.coverage.Coverage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A scenario that has been run, for a page of a site. */
public final class ScenarioPlayer {
  private final ScenarioFile file;
  private final ScenarioRun run;
  private final List<TimelineStep> steps;

  private ScenarioPlayer(ScenarioFile file, ScenarioRun run, List<TimelineStep> steps) {
    this.file = file;
    this.run = run;
    this.steps = steps;
  }

  /**
   * Runs a scenario.
   *
   * @param name what messages call it
   * @param lines the file
   * @return the run
   * @throws IllegalStateException if something else happens than the scenario expects
   */
  public static ScenarioPlayer run(String name, List<String> lines) {
    ScenarioFile file = ScenarioFile.of(Path.of(name), lines);
    List<TimelineStep> steps = new ArrayList<>();
    ScenarioRun run = ScenarioRun.of(file, steps::add, fabric -> fabric);
    if (!run.lines().equals(file.expected())) {
      throw new IllegalStateException(name + ": something else happens than it expects");
    }
    return new ScenarioPlayer(file, run, steps);
  }

  /** What the scenario is called. */
  public String title() {
    return file.title();
  }

  /** What its devices covered. */
  public Coverage coverage() {
    return run.coverage();
  }

  /** The words of each command. */
  public List<List<String>> commands() {
    return file.statements().stream().map(Statement::words).toList();
  }

  /** What it printed. */
  public List<String> output() {
    return run.lines();
  }

  /**
   * Draws it.
   *
   * @param content what the page says besides the run
   * @return a page that needs no other file
   */
  public String page(PageContent content) {
    return ScenarioPage.of(file, run, steps, content);
  }
}
