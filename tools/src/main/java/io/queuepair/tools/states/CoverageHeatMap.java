// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.states;

import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.coverage.CoverageGroup;
import io.queuepair.emulator.profile.TransitionTable;
import io.queuepair.tools.page.PageTemplate;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Coverage of a run as a page for a browser: a heat map over the state machine of each type. */
public final class CoverageHeatMap {
  private static final Set<QpState> STATES = EnumSet.complementOf(EnumSet.of(QpState.UNKNOWN));

  private CoverageHeatMap() {}

  /**
   * Draws a coverage.
   *
   * @param coverage of at least one device
   * @return a page that needs no other file
   */
  public static String of(Coverage coverage) {
    List<String> types = new ArrayList<>();
    for (QpType type : TransitionTable.types()) {
      if (coverage.hits(CoverageGroup.STATE).containsKey(type + " " + QpState.RESET)) {
        types.addAll(section(new CoverageView(coverage, type)));
      }
    }
    Map<String, List<String>> parts =
        Map.of(
            "types", types,
            "shares", shares(coverage),
            "style", StatePicture.style().lines().toList());
    List<String> lines = PageTemplate.filled(CoverageHeatMap.class, "coverage.html", parts);
    return String.join("\n", lines) + "\n";
  }

  private static List<String> shares(Coverage coverage) {
    List<String> lines = new ArrayList<>();
    lines.add("<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"shares\">");
    lines.add("<table>");
    lines.add("<tr><th>coverage</th><th>met</th><th>possible</th><th>%</th></tr>");
    for (CoverageGroup aspect : CoverageGroup.values()) {
      int possible = coverage.possible(aspect).size();
      lines.add(
          String.format(
              Locale.ROOT,
              "<tr><th>%s</th><td>%d</td><td>%d</td><td>%.1f</td></tr>",
              aspect.text(),
              possible - coverage.missing(aspect).size(),
              possible,
              coverage.percent(aspect)));
    }
    lines.addAll(List.of("</table>", "</div>"));
    return lines;
  }

  private static List<String> section(CoverageView view) {
    List<String> lines = new ArrayList<>();
    lines.add("<h2>" + view.type() + "</h2>");
    String frame = "<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"%s of %s\">";
    lines.add(String.format(Locale.ROOT, frame, "picture", view.type()));
    StatePicture.inPage(TransitionTable.documented(), view.type(), view)
        .lines()
        .forEach(lines::add);
    lines.add("</div>");
    lines.add(String.format(Locale.ROOT, frame, "transitions", view.type()));
    lines.addAll(matrix(view));
    lines.add("</div>");
    return lines;
  }

  private static List<String> matrix(CoverageView view) {
    List<String> lines = new ArrayList<>(List.of("<table>"));
    StringBuilder head = new StringBuilder("<tr><th>from, to</th>");
    STATES.forEach(to -> head.append("<th>").append(to).append("</th>"));
    lines.add(head + "</tr>");
    for (QpState from : STATES) {
      StringBuilder row = new StringBuilder("<tr><th>" + from + "</th>");
      for (QpState to : STATES) {
        row.append(
            view.hits(from, to)
                .map(hits -> "<td class=\"" + CoverageView.shade(hits) + "\">" + hits + "</td>")
                .orElse("<td></td>"));
      }
      lines.add(row + "</tr>");
    }
    lines.add("</table>");
    return lines;
  }
}
