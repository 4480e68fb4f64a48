// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a scenario for a page of a site. */
public final class ScenarioPlayer {
  private ScenarioPlayer() {}

  /**
   * Runs a scenario and draws it.
   *
   * @param name what messages call it
   * @param lines the file
   * @param content what the page says besides the run
   * @return a page that needs no other file
   * @throws IllegalStateException if something else happens than the scenario expects
   */
  public static String page(String name, List<String> lines, PageContent content) {
    ScenarioFile file = ScenarioFile.of(Path.of(name), lines);
    List<TimelineStep> steps = new ArrayList<>();
    ScenarioRun scenarioRun = ScenarioRun.of(file, steps::add, fabric -> fabric);
    if (!scenarioRun.lines().equals(file.expected())) {
      throw new IllegalStateException(name + ": something else happens than it expects");
    }
    return ScenarioPage.of(file, scenarioRun, steps, content);
  }
}
