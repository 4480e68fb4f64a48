// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.tools.cli.CommandFailure;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A scenario that has been run, for a page of a site. */
public final class ScenarioPlayer {
  private static final String TRIED = "scenario";

  private final ScenarioFile file;
  private final ScenarioRun run;
  private final List<TimelineStep> steps;
  private final Optional<ScenarioException> end;

  private ScenarioPlayer(
      ScenarioFile file,
      ScenarioRun run,
      List<TimelineStep> steps,
      Optional<ScenarioException> end) {
    this.file = file;
    this.run = run;
    this.steps = steps;
    this.end = end;
  }

  /** Runs a scenario; throws if the output differs from the expected one. */
  public static ScenarioPlayer run(String name, List<String> lines) {
    ScenarioFile file = ScenarioFile.of(Path.of(name), lines);
    List<TimelineStep> steps = new ArrayList<>();
    ScenarioRun run = ScenarioRun.of(file, steps::add, fabric -> fabric).orThrow();
    if (!file.isExercise() && !run.lines().equals(file.expected())) {
      throw new IllegalStateException(name + ": something else happens than it expects");
    }
    return new ScenarioPlayer(file, run, steps, Optional.empty());
  }

  /**
   * Runs untrusted text, without comparing the block {@code expected}. A statement that fails, or
   * an expectation that does not hold, ends the run; a statement in which the run exceeds the limit
   * of steps is left out.
   *
   * @throws CommandFailure if the text is no scenario; the message is for its author
   */
  public static ScenarioPlayer tried(List<String> lines, int mostSteps) {
    try {
      ScenarioFile file = ScenarioFile.of(Path.of(TRIED), lines);
      try {
        return tried(file, mostSteps, Optional.empty());
      } catch (ScenarioException exception) {
        return tried(file.before(exception.line()), mostSteps, Optional.of(exception));
      }
    } catch (ScenarioException exception) {
      throw new CommandFailure(message(exception), exception);
    }
  }

  private static String message(ScenarioException exception) {
    return exception.getMessage().replaceFirst("^" + TRIED + ":", "Line ");
  }

  private static ScenarioPlayer tried(
      ScenarioFile file, int mostSteps, Optional<ScenarioException> end) {
    List<TimelineStep> steps = new ArrayList<>();
    Consumer<TimelineStep> watcher =
        step -> {
          if (steps.size() == mostSteps) {
            String message = "the run takes more than " + mostSteps + " steps";
            throw ScenarioException.at(TRIED, step.line(), message);
          }
          steps.add(step);
        };
    ScenarioRun run = ScenarioRun.of(file, watcher, fabric -> fabric);
    return new ScenarioPlayer(file, run, steps, run.failure().or(() -> end));
  }

  /** Stylesheet shared by all pages of a site: colours, fonts and the top bar. */
  public static String theme() {
    return ScenarioPage.theme();
  }

  /** Stylesheet for pages with {@link PageContent#assets}. */
  public static String style() {
    return ScenarioPage.style();
  }

  /** Script for pages with {@link PageContent#assets}. */
  public static String script() {
    return ScenarioPage.script();
  }

  /** Reason why the run ended early, in one sentence without a full stop; empty if it did not. */
  public String end() {
    return end.map(ScenarioPlayer::message).orElse("");
  }

  /** Number of the line at which the run ended early; 0 if it did not. */
  public int endLine() {
    return end.map(ScenarioException::line).orElse(0);
  }

  /** Expectation in that line that does not hold; empty for another error. */
  public String unmet() {
    return end.map(ScenarioException::unmet).orElse("");
  }

  /** Likely cause: an unexpected refusal, or packets in flight; may be empty. */
  public String cause() {
    return run.cause();
  }

  public int expectations() {
    return file.expectations();
  }

  /** Lines of the scenario, with the actual output as expected output. */
  public List<String> recorded() {
    return file.expecting(run.lines());
  }

  public String title() {
    return file.title();
  }

  public Coverage coverage() {
    return run.coverage();
  }

  public List<List<String>> commands() {
    return file.statements().stream().map(Statement::words).toList();
  }

  public List<String> output() {
    return run.lines();
  }

  /** Diagram of the packets and their effects, for a page on another subject. */
  public String picture() {
    return SequenceDiagram.ofPackets(run.hosts(), steps);
  }

  /** HTML that explains each byte of the first packet with an opcode that arrives unchanged. */
  public String explained(String opcode) {
    return steps.stream()
        .flatMap(step -> StepEvents.of(step, List.of()).stream())
        .filter(TimelineEvent.PacketSent.class::isInstance)
        .map(TimelineEvent.PacketSent.class::cast)
        .filter(packet -> packet.line().opcode().equals(opcode))
        .min(Comparator.comparing(packet -> !packet.line().fault().isEmpty()))
        .map(ExplainedFrames::of)
        .orElse("");
  }

  /** HTML page of the run with the given content. */
  public String page(PageContent content) {
    return ScenarioPage.of(file, run, steps, content);
  }
}
