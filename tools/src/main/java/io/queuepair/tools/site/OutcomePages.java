// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import io.queuepair.emulator.coverage.CoverageGroup;
import io.queuepair.tools.project.MarkdownTable;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.WcStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Pages on completion statuses and asynchronous events, one for each. */
final class OutcomePages {
  static final String STATUSES = "docs/reference/status-causes.md";
  static final String EVENTS = "docs/reference/event-causes.md";
  private static final String TABLES = "docs/reference/statuses.md";
  private static final int RUNS = 3;
  private static final int LINES = 12;
  private static final Pattern FAILED = Pattern.compile(".*-> (ERR|SQE)$");

  private final ScenarioIndex scenarios;

  OutcomePages(ScenarioIndex scenarios) {
    this.scenarios = scenarios;
  }

  /** Kind of outcome: table with facts in columns, page of causes, names in C and Java. */
  private record Kind(
      CoverageGroup group, String title, String causes, List<String> facts, String c, String java) {
    String folder() {
      return LookUp.SECTIONS.get(causes);
    }
  }

  List<PageText> statuses() {
    List<String> facts = List.of("status", "Seen by", "", "The peer sees", "States afterwards");
    return pages(
        new Kind(CoverageGroup.STATUS, "Statuses", STATUSES, facts, "IBV_WC_", "WcStatus"),
        name -> WcStatus.valueOf(name).code(),
        name -> WcStatus.valueOf(name).text());
  }

  List<PageText> events() {
    List<String> facts = List.of("event", "About", "", "What follows");
    return pages(
        new Kind(
            CoverageGroup.EVENT, "Asynchronous events", EVENTS, facts, "IBV_EVENT_", "EventType"),
        name -> EventType.valueOf(name).code(),
        name -> EventType.valueOf(name).text());
  }

  /** Generates a page for each row of a table; columns without a name are not listed as facts. */
  private List<PageText> pages(
      Kind kind, ToIntFunction<String> codes, UnaryOperator<String> texts) {
    Map<String, String> sections = SectionPages.sections(kind.causes());
    List<String> facts = kind.facts();
    List<List<String>> rows =
        MarkdownTable.rows(TABLES, facts.get(0), facts.get(1).toLowerCase(Locale.ROOT));
    List<PageText> pages = new ArrayList<>(List.of(index(kind, sections, rows)));
    for (List<String> cells : rows) {
      String name = MarkdownTable.plain(cells.get(0));
      PageText page =
          PageText.of(kind.folder(), name)
              .add("# ", name, " (", codes.applyAsInt(name), ")")
              .add(capitalized(texts.apply(name)), ". ", cells.get(2))
              .head("what", "fact");
      for (int i = 1; i < facts.size(); i++) {
        if (!facts.get(i).isEmpty()) {
          page.row(facts.get(i), cells.get(i));
        }
      }
      page.row("In C", "`" + kind.c() + name + "`");
      page.row("In Java", "`" + kind.java() + "." + name + "`");
      page.add("## Why").add(sections.get(name)).add("## Scenarios");
      addShown(page, kind, name);
      page.add(
          "[" + kind.title() + "](README.md),",
          " [from a symptom to its scenario](../debugging.md)");
      pages.add(page);
    }
    return pages;
  }

  private static String capitalized(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }

  private void addShown(PageText page, Kind kind, String name) {
    String never = scenarios.neverReason(kind.group(), name);
    if (!never.isEmpty()) {
      page.add("This device never reports it: ", never, ".");
      return;
    }
    List<String> covering = scenarios.covering(kind.group(), name);
    page.add(scenarios.links(covering));
    int runs = 0;
    for (String source : covering) {
      List<String> lines = excerpt(scenarios.run(source).output(), name);
      if (runs < RUNS && !lines.isEmpty()) {
        page.add("### In the run of ", scenarios.link(source));
        page.add("```text\n", String.join("\n", lines), "\n```");
        runs++;
      }
    }
  }

  /** Lines of a run that name an outcome, with reasons and transitions to an error state. */
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

  private PageText index(Kind kind, Map<String, String> sections, List<List<String>> rows) {
    PageText page =
        PageText.index(kind.folder())
            .add("# ", kind.title())
            .add(sections.values().iterator().next())
            .head("name", "cause", "scenarios");
    for (List<String> cells : rows) {
      String name = MarkdownTable.plain(cells.get(0));
      int shown = scenarios.covering(kind.group(), name).size();
      page.row(PageText.link(kind.folder(), name), cells.get(2), shown);
    }
    return page;
  }
}
