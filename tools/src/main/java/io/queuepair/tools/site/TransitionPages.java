// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import static io.queuepair.tools.site.LookUpPage.head;
import static io.queuepair.tools.site.LookUpPage.row;

import io.queuepair.emulator.coverage.CoverageGroup;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Transition;
import io.queuepair.emulator.profile.TransitionTable;
import io.queuepair.tools.site.AttributePages.Attribute;
import io.queuepair.tools.site.StateFacts.Cause;
import io.queuepair.tools.site.StateFacts.Change;
import io.queuepair.tools.transitions.TransitionReplay;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A page for each transition of each type: what it takes, and what refuses it. */
final class TransitionPages {
  private final ScenarioIndex scenarios;
  private final StateFacts facts;
  private final AttributePages attributes;

  TransitionPages(ScenarioIndex scenarios, StateFacts facts, AttributePages attributes) {
    this.scenarios = scenarios;
    this.facts = facts;
    this.attributes = attributes;
  }

  List<LookUpPage> pages() {
    List<LookUpPage> pages = new ArrayList<>();
    try (TransitionReplay device = new TransitionReplay(DeviceProfile.standard())) {
      for (QpType type : TransitionTable.types()) {
        facts.changes(type).forEach(change -> pages.add(page(change, device)));
      }
    }
    return pages;
  }

  private LookUpPage page(Change change, TransitionReplay device) {
    StringBuilder page = new StringBuilder("# " + change.type() + ": " + change.name() + "\n\n");
    page.append(summary(change)).append("\n\nFrom ").append(link(change.from())).append(" to ");
    page.append(link(change.to())).append(", type [").append(change.type()).append("](");
    page.append(StateLinks.nameOf(change.type())).append(".md).\n\n");
    if (change.from() == QpState.RESET && change.to() == QpState.INIT) {
      page.append("[RESET to INIT](../reference/reset-to-init.md) explains it at length.\n\n");
    }
    if (change.isAutomatic()) {
      Cause cause = facts.cause(change);
      page.append("## By itself\n\n").append(cause.why()).append("\n\n");
      page.append(cause.follows()).append("\n\n");
    }
    change.asked().ifPresent(row -> page.append(asked(row, device)));
    if (!change.isNever()) {
      page.append("## Where it is\n\n{PICTURE}\n\n## Scenarios\n\n");
      page.append(
          scenarios.links(scenarios.covering(CoverageGroup.TRANSITION, change.coverageName())));
    }
    page.append("\n").append(others(change));
    page.append("[All transitions of type ").append(change.type()).append("](");
    page.append(StateLinks.nameOf(change.type())).append(".md)\n");
    String name = StateLinks.nameOf(change.type(), change.from(), change.to());
    StateLinks links = StateLinks.of(change.type(), change.from(), change.to());
    return LookUpPage.of("states", name, page.toString())
        .with(StatePages.picture(change.type(), links));
  }

  private static String link(QpState state) {
    return "[" + state + "](" + StateLinks.nameOf(state) + ".md)";
  }

  /** Links to this transition of the other types. */
  private String others(Change here) {
    return TransitionTable.types().stream()
        .flatMap(type -> facts.changes(type).stream())
        .filter(change -> change.from() == here.from() && change.to() == here.to())
        .map(
            change -> {
              String type = change.type().name();
              return change.equals(here) ? "**" + type + "**" : change.link(type);
            })
        .collect(Collectors.joining(" \u00b7 ", here.name() + ": ", "\n\n"));
  }

  private static String summary(Change change) {
    if (change.isNever()) {
      return "The table of Linux allows this transition, but no queue pair of type "
          + change.type()
          + " is ever in SQE: a send that fails takes it to ERR.";
    }
    String how = change.isAutomatic() ? "An error leads to it." : "A program asks for it.";
    Optional<Transition> row = change.asked();
    if (row.isEmpty()) {
      return "A queue pair of type "
          + change.type()
          + " goes from "
          + change.name()
          + " by itself; no call can ask for it.";
    }
    if (change.isAutomatic()) {
      how = "A program asks for it, or an error leads to it.";
    }
    Set<QpAttrMask> required = row.get().required();
    String needs =
        required.isEmpty()
            ? " No attribute is required besides the state."
            : " Required: " + names(required) + ".";
    return "The transition of type "
        + change.type()
        + " from "
        + change.name()
        + ". "
        + how
        + needs;
  }

  private static String names(Set<QpAttrMask> attributes) {
    return attributes.stream().map(Enum::name).collect(Collectors.joining(", "));
  }

  private String asked(Transition row, TransitionReplay device) {
    StringBuilder part = new StringBuilder("## Attributes\n\n");
    part.append("`STATE` is given in every call that changes the state. Any attribute that is");
    part.append(" not named here is refused with EINVAL.\n\n");
    if (!row.required().isEmpty() || !row.optional().isEmpty()) {
      part.append(head("use", "attribute", "unit and range", "what it is", "must match"));
      row.required().forEach(mask -> part.append(attribute("**required**", mask)));
      row.optional().forEach(mask -> part.append(attribute("allowed", mask)));
      part.append('\n');
    }
    part.append(onLinux(row))
        .append("## In C and Java\n\n")
        .append(programs(row))
        .append(refusals(row, device));
    return part.toString();
  }

  /** Where the table of Linux, and so Soft-RoCE, is another. */
  private static String onLinux(Transition row) {
    Optional<Transition> linux = TransitionTable.linux().find(row.type(), row.from(), row.to());
    if (linux.isEmpty()) {
      return "Linux Soft-RoCE refuses this transition with EINVAL"
          + " ([why](../reference/modify-differences.md)).\n\n";
    }
    Set<QpAttrMask> more = EnumSet.noneOf(QpAttrMask.class);
    more.addAll(row.optional());
    more.removeAll(linux.get().optional());
    return more.isEmpty()
        ? ""
        : "Linux Soft-RoCE does not take "
            + names(more)
            + " here ([why](../reference/modify-differences.md)).\n\n";
  }

  private String attribute(String may, QpAttrMask mask) {
    Attribute attribute = attributes.of(mask);
    return row(may, attribute.link(), attribute.range(), attribute.meaning(), attribute.peer());
  }

  private String programs(Transition row) {
    Set<QpAttrMask> given = example(row);
    StringBuilder c = new StringBuilder("```c\nstruct ibv_qp_attr attr = {\n");
    c.append("    .qp_state = IBV_QPS_").append(row.to()).append(",\n");
    StringBuilder mask = new StringBuilder("IBV_QP_STATE");
    StringBuilder java = new StringBuilder("```java\nqp.modify(\n    QpAttr.to(QpState.");
    java.append(row.to()).append(')');
    for (QpAttrMask name : given) {
      Attribute attribute = attributes.of(name);
      AttributeExample value = AttributeExample.of(name);
      c.append("    .").append(attribute.field()).append(" = ").append(value.c()).append(",\n");
      mask.append(" |\n    IBV_QP_").append(name);
      java.append("\n        .").append(attribute.setter()).append('(').append(value.java());
      java.append(')');
    }
    c.append("};\nint ret = ibv_modify_qp(qp, &attr,\n    ").append(mask).append(");\n```\n\n");
    java.append(");\n```\n\n");
    return c.append(java).toString();
  }

  /** Required attributes; if there are none, and the state stays, one that is allowed. */
  private static Set<QpAttrMask> example(Transition row) {
    Set<QpAttrMask> given = EnumSet.noneOf(QpAttrMask.class);
    given.addAll(row.required());
    if (given.isEmpty() && row.from() == row.to()) {
      row.optional().stream()
          .filter(mask -> mask != QpAttrMask.CUR_STATE)
          .findFirst()
          .ifPresent(given::add);
    }
    return given;
  }

  /** Answers of the device to a missing attribute, and to one that does not belong there. */
  private static String refusals(Transition row, TransitionReplay device) {
    if (!TransitionReplay.canReach(row.from())) {
      return "";
    }
    StringBuilder table = new StringBuilder("## What is refused\n\n");
    table.append("The answers of the device.\n\n").append(head("call", "answer"));
    Set<QpAttrMask> complete = EnumSet.of(QpAttrMask.STATE);
    complete.addAll(row.required());
    for (QpAttrMask missing : row.required()) {
      Set<QpAttrMask> mask = EnumSet.copyOf(complete);
      mask.remove(missing);
      String answer = device.refusal(row.type(), row.from(), row.to(), mask);
      table.append(row("without " + missing, answer));
    }
    Set<QpAttrMask> others = EnumSet.complementOf(EnumSet.copyOf(complete));
    others.removeAll(row.optional());
    others.remove(QpAttrMask.CUR_STATE);
    QpAttrMask other = others.iterator().next();
    complete.add(other);
    String answer = device.refusal(row.type(), row.from(), row.to(), complete);
    return table.append(row("also with " + other, answer)).append('\n').toString();
  }
}
