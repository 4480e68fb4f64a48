// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import java.util.List;

/** Steps of a run as an HTML list of sentences, for readers who cannot see the diagram. */
final class StepList {
  /** Words before the reason of a failure. */
  static final String STOPS = "the run stops here, ";

  private final ScenarioFile file;
  private final PageContent content;
  private final PacketFaults faults = new PacketFaults();
  private final PacketTable bytes = new PacketTable();
  private final TermLinks terms;
  private final XmlWriter list = new XmlWriter();

  private StepList(ScenarioFile file, PageContent content) {
    this.file = file;
    this.content = content;
    terms = new TermLinks(content.terms());
  }

  /** Entries for steps, with the comments of their commands, then a table of packet fields. */
  static String of(ScenarioFile file, List<TimelineStep> steps, PageContent content) {
    StepList made = new StepList(file, content);
    made.list.open("ol").newLine();
    for (int i = 0; i < steps.size(); i++) {
      made.add(i, steps.get(i), i == 0 ? null : steps.get(i - 1));
    }
    made.list.close("ol").newLine();
    made.addFields();
    return made.list.toString();
  }

  private void addFields() {
    XmlWriter fields = bytes.fields();
    if (!fields.toString().isEmpty()) {
      list.open("details", "id", "fields").element("summary", "Fields of the headers").newLine();
      list.open("div", "class", "wide", "tabindex", "0", "role", "group", "aria-label", "fields");
      list.open("table").open("tr").element("th", "header", "scope", "col");
      list.element("th", "field", "scope", "col").element("th", "what it is", "scope", "col");
      list.close("tr").newLine().append(fields).close("table").close("div").close("details");
    }
  }

  private void add(int number, TimelineStep step, TimelineStep previous) {
    List<TimelineEvent> events =
        StepEvents.of(step, previous == null ? List.of() : previous.objects());
    List<String> arrivals = step.arrivals().stream().map(a -> String.valueOf(a.number())).toList();
    String[] attributes = {
      "id", "step-" + (number + 1),
      "data-kinds", StepTags.kinds(events),
      "data-names", StepTags.names(step, events),
      "data-arrives", String.join(" ", arrivals)
    };
    TermLinks.Links links = terms.begin();
    list.open("li", attributes);
    String remark = file.remark(step);
    if (!remark.isEmpty()) {
      list.open("p", "class", "remark").markup(links.of(remark)).close("p");
    }
    for (TimelineEvent event : events) {
      add(event, links);
      if (content.hasFaultButtons()) {
        // The added statement is a step, too, which shifts the numbers.
        String target = PageContent.FORM + "#" + (number + 2);
        faults.of(event).forEach(fault -> addButton(list, fault, target));
      }
      if (event instanceof TimelineEvent.PacketSent packet) {
        list.append(bytes.of(packet));
      }
    }
    List<MemoryView> memory = previous == null ? List.of() : previous.memory();
    step.memory().stream().filter(view -> isNew(view, memory)).forEach(this::add);
    if (events.isEmpty()) {
      list.element("span", "Nothing changes.");
    }
    list.close("li").newLine();
  }

  private void add(TimelineEvent event, TermLinks.Links links) {
    if (event instanceof TimelineEvent.Command command) {
      list.element("code", command.text());
    } else if (event instanceof TimelineEvent.Failure failure) {
      list.element("span", STOPS + failure.text(), "class", "failure");
    } else {
      list.open("span").markup(links.of(sentence(event))).close("span");
    }
    list.newLine();
  }

  private static boolean isNew(MemoryView view, List<MemoryView> before) {
    return before.stream()
        .noneMatch(old -> old.name().equals(view.name()) && old.text().equals(view.text()));
  }

  private void add(MemoryView view) {
    list.element("span", view.name() + ": " + view.text()).newLine();
  }

  private static void addButton(XmlWriter list, String fault, String target) {
    String[] attributes = {
      "type",
      "submit",
      "form",
      PageContent.FORM,
      "formaction",
      target,
      "name",
      "fault",
      "value",
      fault
    };
    list.element("button", fault, attributes).newLine();
  }

  private static String sentence(TimelineEvent event) {
    if (event instanceof TimelineEvent.PacketSent packet) {
      return sentence(packet);
    }
    if (event instanceof TimelineEvent.Arrived arrived) {
      return arrived.time() + " \u00b5s: " + sentence(arrived);
    }
    if (event instanceof TimelineEvent.StateChange change) {
      return String.format(
          "%s \u00b5s: %s goes from %s to %s",
          change.time(), change.name(), change.from(), change.to());
    }
    if (event instanceof TimelineEvent.Timer timer) {
      return timer.time() + " \u00b5s: " + timer.name() + ": " + timer.text();
    }
    if (event instanceof TimelineEvent.Change change) {
      return change.name() + (change.isFlush() ? ", flushed: " : ": ") + change.text();
    }
    if (event instanceof TimelineEvent.MemoryWritten written) {
      return written.text();
    }
    if (event instanceof TimelineEvent.MemoryRead read) {
      return read.text();
    }
    return event instanceof TimelineEvent.Note note ? note.text() : "";
  }

  private static String sentence(TimelineEvent.PacketSent packet) {
    LadderLine line = packet.line();
    String fault = line.fault().isEmpty() ? "" : " (" + line.fault() + ")";
    String again = packet.sent().retransmission();
    return String.format(
        "%s \u00b5s: %s sends %s to %s%s%s: %s%s",
        line.time(),
        line.source(),
        line.kind(),
        line.destination(),
        again.isEmpty() ? "" : ", " + again,
        fault,
        line.kind().equals(line.opcode()) ? "" : line.opcode() + " ",
        line.fields());
  }

  /** Sentence on the arrival of a packet. */
  static String sentence(TimelineEvent.Arrived arrived) {
    ArrivedPacket packet = arrived.packet();
    boolean isTaken = packet.dropReason().isEmpty();
    return isTaken
        ? packet.packet() + " arrives at " + packet.host()
        : packet.host() + " drops " + packet.packet() + ": " + packet.dropReason();
  }
}
