// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import static io.queuepair.tools.site.LookUpPage.head;
import static io.queuepair.tools.site.LookUpPage.row;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Transition;
import io.queuepair.emulator.profile.TransitionTable;
import io.queuepair.tools.project.MarkdownTable;
import io.queuepair.tools.transitions.TransitionReplay;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A page for each attribute of a queue pair. */
final class AttributePages {
  private static final List<String> TABLES =
      List.of("docs/reference/attributes.md", "docs/tutorial/states-and-attributes.md");
  private static final TransitionTable TRANSITIONS = TransitionTable.documented();

  private final ScenarioIndex scenarios;
  private final Map<QpAttrMask, Attribute> attributes = new LinkedHashMap<>();
  private final Map<String, String> sections = SectionPages.sections(TABLES.get(0));

  AttributePages(ScenarioIndex scenarios) {
    this.scenarios = scenarios;
    for (String table : TABLES) {
      for (List<String> row : MarkdownTable.rows(table, "mask, Java setter, C field")) {
        Attribute attribute = Attribute.of(row);
        attributes.put(attribute.mask(), attribute);
      }
    }
  }

  /** A row of the tables of attributes. */
  record Attribute(
      QpAttrMask mask, String setter, String field, String range, String meaning, String peer) {
    static Attribute of(List<String> row) {
      String[] names = MarkdownTable.plain(row.get(0)).split(", ", -1);
      return new Attribute(
          QpAttrMask.valueOf(names[0]), names[1], names[2], row.get(1), row.get(2), row.get(3));
    }

    /** A link, from another folder of the docs. */
    String link() {
      return "[" + mask + "](../attributes/" + mask.name().toLowerCase(Locale.ROOT) + ".md)";
    }

    /** How commands of scenarios name it. */
    boolean isNamedBy(String argument) {
      String name = argument.contains("=") ? argument.substring(0, argument.indexOf('=')) : "";
      return switch (mask) {
        case STATE -> name.equals("state");
        case CUR_STATE -> name.equals("cur_state");
        case ACCESS_FLAGS -> name.equals("access");
        case AV -> name.equals("av");
        case PORT -> name.equals("port");
        case MAX_QP_RD_ATOMIC -> name.equals("max_rd_atomic");
        case ALT_PATH -> name.startsWith("alt_");
        case CAP -> name.startsWith("cap.");
        default -> name.equals(mask.name().toLowerCase(Locale.ROOT));
      };
    }
  }

  Attribute of(QpAttrMask mask) {
    return attributes.get(mask);
  }

  List<LookUpPage> pages() {
    List<LookUpPage> pages = new ArrayList<>();
    StringBuilder index = new StringBuilder("# Attributes of ibv_modify_qp\n\n");
    index.append("Every attribute of a queue pair: what it is, its unit and range.\n\n");
    index.append(head("attribute", "what it is", "unit and range"));
    try (TransitionReplay device = new TransitionReplay(DeviceProfile.standard())) {
      attributes.values().forEach(attribute -> pages.add(page(attribute, device)));
    }
    for (QpAttrMask mask : QpAttrMask.values()) {
      Attribute attribute = attributes.get(mask);
      index.append(row(attribute.link(), attribute.meaning(), attribute.range()));
    }
    pages.add(LookUpPage.index("attributes", index.toString()));
    return pages;
  }

  private LookUpPage page(Attribute attribute, TransitionReplay device) {
    StringBuilder page = new StringBuilder("# " + attribute.mask() + "\n\nAttribute `");
    page.append(attribute.field()).append("` of a queue pair: ").append(attribute.meaning());
    page.append(".\n\n").append(head("what", "value"));
    page.append(row("Unit and range", attribute.range()));
    page.append(row("What must match", attribute.peer())).append('\n').append(head("C", "Java"));
    page.append(
        row(
            "`struct ibv_qp_attr." + attribute.field() + "`",
            "`QpAttr." + attribute.setter() + "`"));
    page.append(
        row(
            "`IBV_QP_" + attribute.mask() + "` in the mask",
            "`QpAttrMask." + attribute.mask() + "`"));
    String more = sections.getOrDefault(attribute.mask().name(), "");
    page.append(more.isEmpty() ? "" : "\n## Values\n\n" + more).append("\n## Transitions\n\n");
    page.append(transitions(attribute.mask()));
    page.append(RefusedValue.table(attribute.mask(), device)).append("\n## Scenarios\n\n");
    page.append(
        scenarios.links(
            scenarios.withCommand(
                words ->
                    words.get(0).equals("modify_qp")
                        && words.stream().anyMatch(attribute::isNamedBy))));
    page.append("\n[All attributes](README.md)\n");
    return LookUpPage.of("attributes", attribute.mask().name(), page.toString());
  }

  /** Which transitions of which types require or allow an attribute. */
  private static String transitions(QpAttrMask mask) {
    if (mask == QpAttrMask.STATE) {
      return "Every call that changes the state has it.\n";
    }
    Map<String, Set<QpType>> required = new LinkedHashMap<>();
    Map<String, Set<QpType>> allowed = new LinkedHashMap<>();
    for (Transition row : TRANSITIONS.rows()) {
      String states = row.from() + " to " + row.to();
      if (row.required().contains(mask)) {
        types(required, states).add(row.type());
        types(allowed, states);
      } else if (row.optional().contains(mask)) {
        types(required, states);
        types(allowed, states).add(row.type());
      }
    }
    StringBuilder table = new StringBuilder(head("transition", "required", "allowed"));
    required.forEach(
        (states, types) ->
            table.append(row(states, links(states, types), links(states, allowed.get(states)))));
    return table.toString();
  }

  private static Set<QpType> types(Map<String, Set<QpType>> map, String states) {
    return map.computeIfAbsent(states, absent -> EnumSet.noneOf(QpType.class));
  }

  /** The pages of a transition of some types. */
  private static String links(String states, Set<QpType> types) {
    String way = states.toLowerCase(Locale.ROOT).replace(' ', '-');
    return types.isEmpty()
        ? "-"
        : types.stream()
            .map(type -> "[" + type + "](../states/" + StateLinks.nameOf(type) + "-" + way + ".md)")
            .collect(Collectors.joining(", "));
  }
}
