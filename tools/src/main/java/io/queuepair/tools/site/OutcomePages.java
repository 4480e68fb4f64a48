// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import io.queuepair.emulator.coverage.CoverageGroup;
import io.queuepair.tools.project.MarkdownTable;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.WcStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** A page for each status of a completion and each asynchronous event. */
final class OutcomePages {
  private static final String TABLES = "docs/reference/statuses.md";
  private static final int RUNS = 3;
  private static final int LINES = 12;
  private static final Pattern FAILED = Pattern.compile(".*-> (ERR|SQE)$");

  private final ScenarioIndex scenarios;

  OutcomePages(ScenarioIndex scenarios) {
    this.scenarios = scenarios;
  }

  /** Names of a kind of outcome, in C and Java. */
  private record Kind(CoverageGroup group, String folder, String title, String c, String java) {}

  List<LookUpPage> statuses() {
    Kind kind = new Kind(CoverageGroup.STATUS, "statuses", "Statuses", "IBV_WC_", "WcStatus");
    List<LookUpPage> pages = new ArrayList<>();
    List<List<String>> rows = MarkdownTable.rows(TABLES, "status", "seen by");
    for (List<String> row : rows) {
      WcStatus status = WcStatus.valueOf(MarkdownTable.plain(row.get(0)));
      String facts = facts(List.of("Seen by", "", "The peer sees", "States afterwards"), row);
      pages.add(page(kind, status.name(), status.code(), status.text(), row.get(2), facts));
    }
    pages.add(
        index(
            kind,
            "Every value of `enum ibv_wc_status`: what a completion says of its work.",
            rows));
    return pages;
  }

  List<LookUpPage> events() {
    Kind kind =
        new Kind(CoverageGroup.EVENT, "events", "Asynchronous events", "IBV_EVENT_", "EventType");
    List<LookUpPage> pages = new ArrayList<>();
    List<List<String>> rows = MarkdownTable.rows(TABLES, "event", "about");
    for (List<String> row : rows) {
      EventType event = EventType.valueOf(MarkdownTable.plain(row.get(0)));
      String facts = facts(List.of("About", "", "What follows"), row);
      pages.add(page(kind, event.name(), event.code(), event.text(), row.get(2), facts));
    }
    pages.add(
        index(kind, "Every value of `enum ibv_event_type`: what no completion reports.", rows));
    return pages;
  }

  /** Facts behind the name; those without a name stand elsewhere on the page. */
  private static String facts(List<String> names, List<String> row) {
    StringBuilder facts = new StringBuilder("| what | fact |\n|---|---|\n");
    for (int i = 0; i < names.size(); i++) {
      if (names.get(i).isEmpty()) {
        continue;
      }
      facts.append("| ").append(names.get(i)).append(" | ").append(row.get(i + 1)).append(" |\n");
    }
    return facts.toString();
  }

  private LookUpPage page(
      Kind kind, String name, int code, String text, String cause, String facts) {
    StringBuilder page = new StringBuilder("# " + name + "\n\n");
    page.append(capitalized(text)).append(". ").append(cause).append("\n\n").append(facts);
    page.append("\n| C | Java | value |\n|---|---|---|\n| `").append(kind.c()).append(name);
    page.append("` | `").append(kind.java()).append('.').append(name);
    page.append("` | ").append(code).append(" |\n\n## Scenarios\n\n");
    page.append(shown(kind, name));
    page.append("\n[").append(kind.title()).append("](README.md),");
    page.append(" [from a symptom to its scenario](../debugging.md)\n");
    return LookUpPage.of(kind.folder(), name, page.toString());
  }

  private static String capitalized(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }

  private String shown(Kind kind, String name) {
    String never = scenarios.neverReason(kind.group(), name);
    if (!never.isEmpty()) {
      return "This device never reports it: " + never + ".\n";
    }
    List<String> covering = scenarios.covering(kind.group(), name);
    StringBuilder shown = new StringBuilder(scenarios.links(covering));
    int runs = 0;
    for (String source : covering) {
      List<String> lines = excerpt(scenarios.run(source).output(), name);
      if (runs < RUNS && !lines.isEmpty()) {
        shown.append("\n### In the run of ").append(scenarios.link(source)).append("\n\n```\n");
        lines.forEach(line -> shown.append(line).append('\n'));
        shown.append("```\n");
        runs++;
      }
    }
    return shown.toString();
  }

  /** The lines of a run that name an outcome, with the reason, and the states that failed. */
  private static List<String> excerpt(List<String> output, String name) {
    Pattern named = Pattern.compile("(^|.*: )" + name + " \\(.*");
    List<String> lines = new ArrayList<>();
    boolean isFound = false;
    boolean wasNamed = false;
    for (String line : output) {
      boolean isNamed = named.matcher(line).matches();
      boolean isReason = wasNamed && line.startsWith("  why:");
      isFound |= isNamed;
      if (isNamed || isReason || FAILED.matcher(line).matches()) {
        lines.add(line);
      }
      wasNamed = isNamed;
    }
    return isFound ? lines.subList(0, Math.min(LINES, lines.size())) : List.of();
  }

  private LookUpPage index(Kind kind, String text, List<List<String>> rows) {
    StringBuilder page = new StringBuilder("# " + kind.title() + "\n\n" + text + "\n\n");
    page.append("| name | cause | scenarios |\n|---|---|---|\n");
    for (List<String> row : rows) {
      String name = MarkdownTable.plain(row.get(0));
      int count = scenarios.covering(kind.group(), name).size();
      page.append("| [").append(name).append("](").append(name.toLowerCase(Locale.ROOT));
      page.append(".md) | ").append(row.get(2)).append(" | ").append(count).append(" |\n");
    }
    return LookUpPage.index(kind.folder(), page.toString());
  }
}
