// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import io.queuepair.emulator.coverage.CoverageGroup;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Transition;
import io.queuepair.emulator.profile.TransitionTable;
import io.queuepair.tools.site.AttributePages.Attribute;
import io.queuepair.tools.site.AttributePages.Example;
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

/** Pages on transitions, one for each transition of each type: required attributes and refusals. */
final class TransitionPages {
  private final ScenarioIndex scenarios;
  private final StateFacts facts;
  private final AttributePages attributes;

  TransitionPages(ScenarioIndex scenarios, StateFacts facts, AttributePages attributes) {
    this.scenarios = scenarios;
    this.facts = facts;
    this.attributes = attributes;
  }

  List<PageText> pages() {
    List<PageText> pages = new ArrayList<>();
    try (TransitionReplay replay = new TransitionReplay(DeviceProfile.standard())) {
      for (QpType type : TransitionTable.types()) {
        facts.changes(type).forEach(change -> pages.add(page(change, replay)));
      }
    }
    return pages;
  }

  private PageText page(Change change, TransitionReplay replay) {
    QpType type = change.type();
    PageText page =
        PageText.of("states", StateLinks.nameOf(type, change.from(), change.to()))
            .add("# ", type, ": ", change.name())
            .add(summary(change))
            .add(
                "From " + StateLinks.linkTo(change.from()),
                " to " + StateLinks.linkTo(change.to()),
                ", type " + StateLinks.linkTo(type) + ".");
    if (change.from() == QpState.RESET && change.to() == QpState.INIT) {
      page.add("[RESET to INIT](../reference/reset-to-init.md) explains it at length.");
    }
    if (change.isAutomatic()) {
      Cause cause = facts.cause(change);
      page.add("## By itself").add(cause.why()).add(cause.follows());
    }
    change.asked().ifPresent(transition -> addAsked(page, transition, replay));
    if (!change.isNever()) {
      page.add("## Where it is").add(StateLinks.picture(type, change.from(), change.to()));
      page.add("## Scenarios");
      page.add(
          scenarios.links(scenarios.covering(CoverageGroup.TRANSITION, change.coverageName())));
    }
    page.add(others(change));
    return page.add("[All transitions of type " + type + "](" + StateLinks.nameOf(type) + ".md)");
  }

  /** Links to the same transition of other types. */
  private String others(Change here) {
    return facts.changesByStates().stream()
        .flatMap(List::stream)
        .filter(change -> change.from() == here.from() && change.to() == here.to())
        .map(
            change -> {
              String type = change.type().name();
              return change.equals(here) ? "**" + type + "**" : change.link(type);
            })
        .collect(Collectors.joining(" \u00b7 ", here.name() + ": ", ""));
  }

  private static String summary(Change change) {
    QpType type = change.type();
    if (change.isNever()) {
      return "The table of Linux allows this transition, but no queue pair of type "
          + type
          + " is ever in SQE: a send that fails takes it to ERR.";
    }
    if (change.asked().isEmpty()) {
      return "A queue pair of type %s goes from %s by itself; no call can ask for it."
          .formatted(type, change.name());
    }
    Set<QpAttrMask> required = change.asked().get().required();
    return "The transition of type %s from %s. A program asks for it%s. %s."
        .formatted(
            type,
            change.name(),
            change.isAutomatic() ? ", or an error leads to it" : "",
            required.isEmpty()
                ? "No attribute is required besides the state"
                : "Required: " + StateFacts.names(required));
  }

  private void addAsked(PageText page, Transition transition, TransitionReplay replay) {
    page.add("## Attributes");
    page.add(
        "`STATE` is given in every call that changes the state. Any attribute that is not named"
            + " here is refused with EINVAL.");
    if (!transition.required().isEmpty() || !transition.optional().isEmpty()) {
      page.head("use", "attribute", "unit and range", "what it is", "must match");
      transition.required().forEach(mask -> addAttribute(page, "**required**", mask));
      transition.optional().forEach(mask -> addAttribute(page, "allowed", mask));
    }
    page.add(onLinux(transition)).add("## In C and Java").add(programs(transition));
    if (TransitionReplay.canReach(transition.from())) {
      addRefusals(page, transition, replay);
    }
  }

  /** Differences of this transition in the table of Linux, which Soft-RoCE uses. */
  private static String onLinux(Transition transition) {
    String why = " ([why](../reference/modify-differences.md)).";
    Optional<Transition> linux =
        TransitionTable.linux().find(transition.type(), transition.from(), transition.to());
    if (linux.isEmpty()) {
      return "Linux Soft-RoCE refuses this transition with EINVAL" + why;
    }
    Set<QpAttrMask> more = EnumSet.noneOf(QpAttrMask.class);
    more.addAll(transition.optional());
    more.removeAll(linux.get().optional());
    return more.isEmpty()
        ? ""
        : "Linux Soft-RoCE does not take " + StateFacts.names(more) + " here" + why;
  }

  private void addAttribute(PageText page, String use, QpAttrMask mask) {
    Attribute attribute = attributes.of(mask);
    page.row(use, attribute.link(), attribute.range(), attribute.meaning(), attribute.peer());
  }

  private String programs(Transition transition) {
    StringBuilder fields = new StringBuilder();
    StringBuilder masks = new StringBuilder();
    StringBuilder setters = new StringBuilder();
    for (QpAttrMask mask : example(transition)) {
      Attribute attribute = attributes.of(mask);
      Example value = attributes.exampleOf(mask);
      fields.append("    .%s = %s,\n".formatted(attribute.field(), value.c()));
      masks.append(" |\n    IBV_QP_").append(mask);
      setters.append("\n        .%s(%s)".formatted(attribute.setter(), value.java()));
    }
    return """
        ```c
        struct ibv_qp_attr attr = {
            .qp_state = IBV_QPS_%s,
        %s};
        int ret = ibv_modify_qp(qp, &attr,
            IBV_QP_STATE%s);
        ```

        ```java
        qp.modify(
            QpAttr.to(QpState.%s)%s);
        ```"""
        .formatted(transition.to(), fields, masks, transition.to(), setters);
  }

  /** Example attributes: those required; if none is and the state stays, one that is allowed. */
  private static Set<QpAttrMask> example(Transition transition) {
    Set<QpAttrMask> given = EnumSet.noneOf(QpAttrMask.class);
    given.addAll(transition.required());
    if (given.isEmpty() && transition.from() == transition.to()) {
      transition.optional().stream()
          .filter(mask -> mask != QpAttrMask.CUR_STATE)
          .findFirst()
          .ifPresent(given::add);
    }
    return given;
  }

  /** Adds the device's answers to a missing attribute and to one that is not allowed. */
  private static void addRefusals(PageText page, Transition transition, TransitionReplay replay) {
    page.add("## What is refused").add("The answers of the device.").head("call", "answer");
    Set<QpAttrMask> complete = EnumSet.of(QpAttrMask.STATE);
    complete.addAll(transition.required());
    for (QpAttrMask missing : transition.required()) {
      Set<QpAttrMask> mask = EnumSet.copyOf(complete);
      mask.remove(missing);
      page.row(
          "without " + missing,
          replay.refusal(transition.type(), transition.from(), transition.to(), mask));
    }
    Set<QpAttrMask> others = EnumSet.complementOf(EnumSet.copyOf(complete));
    others.removeAll(transition.optional());
    others.remove(QpAttrMask.CUR_STATE);
    QpAttrMask other = others.iterator().next();
    complete.add(other);
    page.row(
        "also with " + other,
        replay.refusal(transition.type(), transition.from(), transition.to(), complete));
  }
}
