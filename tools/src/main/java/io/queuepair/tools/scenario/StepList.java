// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The steps of a run as a list of sentences, for readers without the drawing. */
final class StepList {
  private StepList() {}

  /**
   * An entry for each step; its remark is the comment above its command in the file.
   *
   * @param hasFaultButtons whether each packet has buttons that drop, duplicate or delay it
   */
  static String of(ScenarioFile file, List<TimelineStep> steps, boolean hasFaultButtons) {
    PacketFaults faults = new PacketFaults();
    XmlWriter list = new XmlWriter();
    List<ObjectView> before = List.of();
    for (int i = 0; i < steps.size(); i++) {
      TimelineStep step = steps.get(i);
      list.open("li", "id", "step-" + (i + 1));
      String remark = step.statement().isEmpty() ? "" : remark(file.lines(), step.line());
      if (!remark.isEmpty()) {
        list.element("p", remark, "class", "remark");
      }
      List<TimelineEvent> events = StepEvents.of(step, before);
      for (TimelineEvent event : events) {
        add(list, event);
        if (hasFaultButtons) {
          // The statement that is added is a step too.
          String target = PageContent.FORM + "#" + (i + 2);
          faults.of(event).forEach(fault -> addButton(list, fault, target));
        }
      }
      if (events.isEmpty()) {
        list.element("span", "Nothing changes.");
      }
      list.close("li").newLine();
      before = step.objects();
    }
    return list.toString();
  }

  /** The comment lines right above a line, numbered from 1. */
  private static String remark(List<String> lines, int line) {
    Deque<String> comments = new ArrayDeque<>();
    for (int i = line - 2; i >= 0 && lines.get(i).strip().startsWith("#"); i--) {
      comments.addFirst(lines.get(i).strip().substring(1).strip());
    }
    return String.join(" ", comments);
  }

  private static void add(XmlWriter list, TimelineEvent event) {
    if (event instanceof TimelineEvent.Command command) {
      list.element("code", command.text());
    } else {
      list.element("span", sentence(event));
    }
    list.append(new XmlWriter().newLine());
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
      return change.time()
          + " \u00b5s: "
          + change.name()
          + " goes from "
          + change.from()
          + " to "
          + change.to();
    }
    if (event instanceof TimelineEvent.Timer timer) {
      return timer.time() + " \u00b5s: " + timer.name() + ": " + timer.text();
    }
    if (event instanceof TimelineEvent.Change change) {
      return change.name() + (change.isFlush() ? ", flushed: " : ": ") + change.text();
    }
    return event instanceof TimelineEvent.Note note ? note.text() : "";
  }

  private static String sentence(TimelineEvent.PacketSent packet) {
    LadderLine line = packet.line();
    String fault = line.fault().isEmpty() ? "" : " (" + line.fault() + ")";
    String again = packet.sent().retransmission();
    return line.time()
        + " \u00b5s: "
        + line.source()
        + " sends "
        + line.opcode()
        + " to "
        + line.destination()
        + (again.isEmpty() ? "" : ", " + again)
        + fault
        + ": "
        + line.fields();
  }

  /** What becomes of a packet that arrives. */
  static String sentence(TimelineEvent.Arrived arrived) {
    ArrivedPacket packet = arrived.packet();
    boolean isTaken = packet.dropReason().isEmpty();
    return isTaken
        ? packet.packet() + " arrives at " + packet.host()
        : packet.host() + " drops " + packet.packet() + ": " + packet.dropReason();
  }
}
