// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import static io.queuepair.tools.site.LookUpPage.head;
import static io.queuepair.tools.site.LookUpPage.row;

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

/** A page for each status of a completion and each asynchronous event. */
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

  /** A kind of outcome: its table, whose heads name facts, its causes, and names in C and Java. */
  private record Kind(
      CoverageGroup group, String title, String causes, List<String> facts, String c, String java) {
    String folder() {
      return LookUp.SECTIONS.get(causes);
    }
  }

  List<LookUpPage> statuses() {
    List<String> facts = List.of("status", "Seen by", "", "The peer sees", "States afterwards");
    return pages(
        new Kind(CoverageGroup.STATUS, "Statuses", STATUSES, facts, "IBV_WC_", "WcStatus"),
        name -> WcStatus.valueOf(name).code(),
        name -> WcStatus.valueOf(name).text());
  }

  List<LookUpPage> events() {
    List<String> facts = List.of("event", "About", "", "What follows");
    return pages(
        new Kind(
            CoverageGroup.EVENT, "Asynchronous events", EVENTS, facts, "IBV_EVENT_", "EventType"),
        name -> EventType.valueOf(name).code(),
        name -> EventType.valueOf(name).text());
  }

  /** A page for each row of a table; a fact without a name stands elsewhere on the page. */
  private List<LookUpPage> pages(
      Kind kind, ToIntFunction<String> codes, UnaryOperator<String> texts) {
    Map<String, String> sections = SectionPages.sections(kind.causes());
    List<String> facts = kind.facts();
    List<List<String>> rows =
        MarkdownTable.rows(TABLES, facts.get(0), facts.get(1).toLowerCase(Locale.ROOT));
    List<LookUpPage> pages = new ArrayList<>();
    for (List<String> cells : rows) {
      String name = MarkdownTable.plain(cells.get(0));
      int code = codes.applyAsInt(name);
      StringBuilder page = new StringBuilder("# " + name + " (" + code + ")\n\n");
      page.append(capitalized(texts.apply(name))).append(". ").append(cells.get(2)).append("\n\n");
      page.append(head("what", "fact"));
      for (int i = 1; i < facts.size(); i++) {
        if (!facts.get(i).isEmpty()) {
          page.append(row(facts.get(i), cells.get(i)));
        }
      }
      page.append(row("In C", "`" + kind.c() + name + "`"));
      page.append(row("In Java", "`" + kind.java() + "." + name + "`")).append("\n## Why\n\n");
      page.append(sections.get(name)).append("\n## Scenarios\n\n").append(shown(kind, name));
      page.append("\n[").append(kind.title()).append("](README.md),");
      page.append(" [from a symptom to its scenario](../debugging.md)\n");
      pages.add(LookUpPage.of(kind.folder(), name, page.toString()));
    }
    pages.add(index(kind, sections.values().iterator().next(), rows));
    return pages;
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
    StringBuilder page = new StringBuilder("# " + kind.title() + "\n\n" + text + "\n");
    page.append(head("name", "cause", "scenarios"));
    for (List<String> cells : rows) {
      String name = MarkdownTable.plain(cells.get(0));
      String link = "[" + name + "](" + name.toLowerCase(Locale.ROOT) + ".md)";
      page.append(row(link, cells.get(2), scenarios.covering(kind.group(), name).size()));
    }
    return LookUpPage.index(kind.folder(), page.toString());
  }
}
