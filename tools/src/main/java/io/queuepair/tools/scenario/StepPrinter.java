// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import io.queuepair.emulator.observe.LadderLayout;
import java.io.Console;
import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Prints the steps of a run: the events, and then the state of all objects. */
final class StepPrinter {
  private static final String INDENT = "    ";

  private final PrintWriter out;

  /** Waits before the next step; false ends the output. */
  private final BooleanSupplier next;

  StepPrinter(PrintWriter out, BooleanSupplier next) {
    this.out = out;
    this.next = next;
  }

  void print(ScenarioFile file, List<TimelineStep> steps) {
    out.println(file.title());
    file.text().forEach(out::println);
    List<ObjectView> before = List.of();
    for (int i = 0; i < steps.size(); i++) {
      print(i + 1 + "/" + steps.size(), file.remark(steps.get(i)), steps.get(i), before);
      before = steps.get(i).objects();
      if (i + 1 < steps.size() && !next.getAsBoolean()) {
        return;
      }
    }
  }

  private void print(String number, String remark, TimelineStep step, List<ObjectView> before) {
    out.println();
    out.println("[" + number + "] " + LadderLayout.time(step.nanos()).strip());
    if (!remark.isEmpty()) {
      out.println("# " + remark);
    }
    for (TimelineEvent event : StepEvents.of(step, before)) {
      if (event instanceof TimelineEvent.Command command) {
        out.println("> " + command.text());
      } else if (event instanceof TimelineEvent.Arrived arrived
          && !arrived.packet().dropReason().isEmpty()) {
        out.println("  " + StepList.sentence(arrived));
      } else if (event instanceof TimelineEvent.Timer timer) {
        out.println("  " + timer.name() + ": " + timer.text());
      } else if (event instanceof TimelineEvent.Change change) {
        out.println("  " + change.name() + " " + change.text());
      }
    }
    step.output().forEach(out::println);
    if (!step.failure().isEmpty()) {
      out.println("  " + StepList.STOPS + step.failure());
    }
    step.objects().forEach(object -> out.println(INDENT + text(object)));
  }

  private static String text(ObjectView object) {
    StringBuilder text = new StringBuilder();
    text.append(object.name()).append(", ").append(object.kind());
    text.append(object.state().isEmpty() ? "" : ", " + object.state());
    object
        .fields()
        .forEach((name, value) -> text.append(' ').append(name).append('=').append(value));
    object
        .queues()
        .forEach(
            (name, entries) ->
                text.append("; ")
                    .append(name)
                    .append(": ")
                    .append(entries.isEmpty() ? "empty" : String.join(", ", entries)));
    return text.toString();
  }

  /** Waits for Enter at a terminal; false after q, true at once without a terminal. */
  @SuppressWarnings("SystemConsoleNull") // isTerminal() asks what null meant before JDK 22.
  static boolean waitForEnter() {
    Console console = System.console();
    if (console == null || !isTerminal(console)) {
      return true;
    }
    String answer = console.readLine("-- Enter continues, q and Enter ends -- ");
    return answer != null && !answer.strip().equals("q");
  }

  /** Whether the console is a terminal; from JDK 22 on there may be a console without one. */
  private static boolean isTerminal(Console console) {
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException older) {
      return true;
    } catch (IllegalAccessException | InvocationTargetException impossible) {
      throw new IllegalStateException("isTerminal is public and throws nothing", impossible);
    }
  }
}
