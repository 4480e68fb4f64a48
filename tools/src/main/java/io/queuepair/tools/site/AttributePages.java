// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import io.queuepair.emulator.profile.Transition;
import io.queuepair.emulator.profile.TransitionTable;
import io.queuepair.tools.project.MarkdownTable;
import io.queuepair.tools.project.ProjectFiles;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpType;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Pages on the attributes of a queue pair, one for each. */
final class AttributePages {
  private static final List<String> TABLES =
      List.of("docs/reference/attributes.md", "docs/tutorial/states-and-attributes.md");
  private static final TransitionTable TRANSITIONS = TransitionTable.documented();

  private final ScenarioIndex scenarios;
  private final Map<QpAttrMask, Attribute> attributes = new LinkedHashMap<>();
  private final Map<QpAttrMask, Example> examples = new EnumMap<>(QpAttrMask.class);
  private final Map<String, String> sections = SectionPages.sections(TABLES.get(0));

  AttributePages(ScenarioIndex scenarios) {
    this.scenarios = scenarios;
    for (String table : TABLES) {
      for (List<String> row : MarkdownTable.rows(table, "mask, Java setter, C field")) {
        Attribute attribute = Attribute.of(row);
        attributes.put(attribute.mask(), attribute);
      }
    }
    for (String line : ProjectFiles.read("attribute-examples.tsv").lines().toList()) {
      String[] row = line.replace("\\n", "\n").split("\t", -1);
      examples.put(QpAttrMask.valueOf(row[0]), new Example(row[1], row[2]));
    }
  }

  /**
   * Example value of an attribute.
   *
   * @param c text after the field of {@code struct ibv_qp_attr}, with the equals sign
   * @param java arguments of the setter
   */
  record Example(String c, String java) {}

  /** Row of the tables of attributes. */
  record Attribute(
      QpAttrMask mask, String setter, String field, String range, String meaning, String peer) {
    static Attribute of(List<String> row) {
      String[] names = MarkdownTable.plain(row.get(0)).split(", ", -1);
      return new Attribute(
          QpAttrMask.valueOf(names[0]), names[1], names[2], row.get(1), row.get(2), row.get(3));
    }

    /** Link to the page of the attribute, from another folder of the docs. */
    String link() {
      return PageText.link("attributes", mask.name());
    }

    /** Whether an argument of a scenario's command sets this attribute. */
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

  Example exampleOf(QpAttrMask mask) {
    return examples.get(mask);
  }

  List<PageText> pages() {
    PageText index =
        PageText.index("attributes")
            .add("# Attributes of ibv_modify_qp")
            .add("Every attribute of a queue pair: what it is, its unit and range.")
            .head("attribute", "what it is", "unit and range");
    for (QpAttrMask mask : QpAttrMask.values()) {
      Attribute attribute = attributes.get(mask);
      index.row(attribute.link(), attribute.meaning(), attribute.range());
    }
    List<PageText> pages = new ArrayList<>(List.of(index));
    attributes.values().forEach(attribute -> pages.add(page(attribute)));
    return pages;
  }

  private PageText page(Attribute attribute) {
    QpAttrMask mask = attribute.mask();
    PageText page =
        PageText.of("attributes", mask.name())
            .add("# ", mask)
            .add("Attribute `", attribute.field(), "` of a queue pair: ", attribute.meaning(), ".")
            .head("what", "value")
            .row("Unit and range", attribute.range())
            .row("What must match", attribute.peer())
            .head("C", "Java")
            .row(
                "`struct ibv_qp_attr." + attribute.field() + "`",
                "`QpAttr." + attribute.setter() + "`")
            .row("`IBV_QP_" + mask + "` in the mask", "`QpAttrMask." + mask + "`");
    if (sections.containsKey(mask.name())) {
      page.add("## Values").add(sections.get(mask.name()));
    }
    addTransitions(page.add("## Transitions"), mask);
    page.add("## Scenarios");
    page.add(
        scenarios.links(
            scenarios.withCommand(
                words ->
                    words.get(0).equals("modify_qp")
                        && words.stream().anyMatch(attribute::isNamedBy))));
    return page.add("[All attributes](README.md)");
  }

  /** Adds a table of the transitions that require or allow an attribute, with their types. */
  private static void addTransitions(PageText page, QpAttrMask mask) {
    if (mask == QpAttrMask.STATE) {
      page.add("Every call that changes the state has it.");
      return;
    }
    Map<String, Set<QpType>> required = new LinkedHashMap<>();
    Map<String, Set<QpType>> allowed = new LinkedHashMap<>();
    for (Transition transition : TRANSITIONS.rows()) {
      String states = transition.from() + " to " + transition.to();
      if (transition.required().contains(mask)) {
        types(required, states).add(transition.type());
        types(allowed, states);
      } else if (transition.optional().contains(mask)) {
        types(required, states);
        types(allowed, states).add(transition.type());
      }
    }
    page.head("transition", "required", "allowed");
    required.forEach(
        (states, types) ->
            page.row(states, links(states, types), links(states, allowed.get(states))));
  }

  private static Set<QpType> types(Map<String, Set<QpType>> map, String states) {
    return map.computeIfAbsent(states, absent -> EnumSet.noneOf(QpType.class));
  }

  /** Links to the pages of a transition, one for each type. */
  private static String links(String states, Set<QpType> types) {
    String way = states.toLowerCase(Locale.ROOT).replace(' ', '-');
    return types.isEmpty()
        ? "-"
        : types.stream()
            .map(type -> "[" + type + "](../states/" + StateLinks.nameOf(type) + "-" + way + ".md)")
            .collect(Collectors.joining(", "));
  }
}
