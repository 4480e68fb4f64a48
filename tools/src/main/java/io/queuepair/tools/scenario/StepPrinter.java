package io.queuepair.tools.scenario;

import io.queuepair.emulator.fabric.LadderLayout;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Walks through a run: what happened, and how everything is then. */
final class StepPrinter {
  private static final String INDENT = "    ";

  private final PrintWriter out;

  /** Waits before the next step; false if there is to be none. */
  private final BooleanSupplier next;

  StepPrinter(PrintWriter out, BooleanSupplier next) {
    this.out = out;
    this.next = next;
  }

  void print(ScenarioFile file, List<Moment> moments) {
    out.println(file.title());
    file.text().forEach(out::println);
    List<ObjectView> before = List.of();
    for (int i = 0; i < moments.size(); i++) {
      print(i + 1 + "/" + moments.size(), moments.get(i), before);
      before = moments.get(i).objects();
      if (i + 1 < moments.size() && !next.getAsBoolean()) {
        return;
      }
    }
  }

  private void print(String number, Moment moment, List<ObjectView> before) {
    out.println();
    out.println("[" + number + "] " + LadderLayout.time(moment.nanos()).strip());
    for (Happening happening : Happening.of(moment, before)) {
      if (happening instanceof Happening.Command command) {
        out.println("> " + command.text());
      } else if (happening instanceof Happening.Change change) {
        out.println("  " + change.name() + " " + change.text());
      }
    }
    moment.output().forEach(out::println);
    moment.objects().forEach(object -> out.println(INDENT + text(object)));
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
}
