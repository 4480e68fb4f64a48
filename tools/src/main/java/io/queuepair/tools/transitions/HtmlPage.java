// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.transitions;

import io.queuepair.emulator.profile.Transition;
import io.queuepair.emulator.profile.TransitionTable;
import io.queuepair.tools.cli.ProfileName;
import io.queuepair.tools.page.PageTemplate;
import io.queuepair.tools.states.PictureView;
import io.queuepair.tools.states.StatePicture;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A page for a browser: for each type its picture, and its table, which the arrows lead to. */
final class HtmlPage {
  private HtmlPage() {}

  static List<String> of(TransitionTable table, Set<QpType> types, ProfileName profile) {
    List<String> sections = new ArrayList<>();
    for (QpType type : types) {
      sections.addAll(section(table, type));
    }
    Map<String, List<String>> parts =
        Map.of("types", sections, "style", StatePicture.style().lines().toList());
    return PageTemplate.filled(HtmlPage.class, "page.html", parts).stream()
        .map(line -> line.replace("{profile}", profile.toString()))
        .toList();
  }

  /** Leads arrows to rows of the table. */
  private record ToRows(TransitionTable table, QpType type) implements PictureView {
    @Override
    public Optional<String> link(QpState from, QpState to) {
      return table.find(type, from, to).map(row -> "#" + idOf(row));
    }
  }

  private static String idOf(Transition row) {
    String id = row.type() + "-" + row.from() + "-" + row.to();
    return id.toLowerCase(Locale.ROOT);
  }

  private static List<String> section(TransitionTable table, QpType type) {
    List<String> lines = new ArrayList<>();
    lines.add("<h2>" + type + "</h2>");
    lines.add(
        "<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"picture of "
            + type
            + "\">");
    StatePicture.inPage(table, type, new ToRows(table, type)).lines().forEach(lines::add);
    lines.add("</div>");
    lines.add(
        "<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"table of " + type + "\">");
    lines.add("<table>");
    lines.add("<tr><th>from</th><th>to</th><th>required</th><th>optional</th></tr>");
    for (Transition row : table.rows()) {
      if (row.type() == type) {
        lines.add("<tr id=\"" + idOf(row) + "\">" + cells(row) + "</tr>");
      }
    }
    lines.addAll(List.of("</table>", "</div>"));
    return lines;
  }

  private static String cells(Transition row) {
    return "<td>"
        + String.join(
            "</td><td>",
            row.from().name(),
            row.to().name(),
            names(row.required()),
            names(row.optional()))
        + "</td>";
  }

  private static String names(Set<QpAttrMask> attributes) {
    return attributes.stream()
        .map(attribute -> "<code>" + attribute + "</code>")
        .collect(Collectors.joining(" "));
  }
}
