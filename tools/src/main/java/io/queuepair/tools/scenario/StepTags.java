// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Tags of a step, for the filters of a page. */
final class StepTags {
  private static final String PACKET = "packet";

  private StepTags() {}

  /** Kinds of the events of a step, separated by spaces. */
  static String kinds(List<TimelineEvent> events) {
    Set<String> kinds = new TreeSet<>();
    for (TimelineEvent event : events) {
      if (event instanceof TimelineEvent.Command) {
        kinds.add("command");
      } else if (event instanceof TimelineEvent.PacketSent packet) {
        addKinds(kinds, packet);
      } else if (event instanceof TimelineEvent.Arrived arrived) {
        kinds.add(arrived.packet().dropReason().isEmpty() ? "arrival" : "loss");
      } else if (event instanceof TimelineEvent.StateChange) {
        kinds.add("state");
      } else if (event instanceof TimelineEvent.Timer) {
        kinds.add("timer");
      } else if (event instanceof TimelineEvent.Failure) {
        kinds.add("failure");
      } else if (event instanceof TimelineEvent.MemoryWritten
          || event instanceof TimelineEvent.MemoryRead) {
        kinds.add("memory");
      } else if (event instanceof TimelineEvent.Change change) {
        kinds.add(change.isCompletion() ? "completion" : "queue");
      }
    }
    return String.join(" ", kinds);
  }

  private static void addKinds(Set<String> kinds, TimelineEvent.PacketSent packet) {
    kinds.add(PACKET);
    if (packet.line().isNak()) {
      kinds.add("nak");
    }
    if (packet.line().isLost()) {
      kinds.add("loss");
    }
    if (!packet.sent().retransmission().isEmpty()) {
      kinds.add("retry");
    }
  }

  /** Names of devices, objects and queue pairs to which the events belong. */
  static String names(TimelineStep step, List<TimelineEvent> events) {
    Set<String> names = new TreeSet<>();
    for (TimelineEvent event : events) {
      if (event instanceof TimelineEvent.Command command) {
        step.objects().stream()
            .map(ObjectView::name)
            .filter(name -> command.text().matches(".*\\b" + name + "\\b.*"))
            .forEach(names::add);
      } else if (event instanceof TimelineEvent.PacketSent packet) {
        names.add(Statements.device(packet.line().source()));
        names.add(packet.sent().queuePair());
        onlyQueuePair(step, Statements.device(packet.line().source())).forEach(names::add);
      } else if (event instanceof TimelineEvent.Arrived arrived) {
        names.add(Statements.device(arrived.packet().host()));
        names.add(arrived.packet().queuePair());
      } else {
        names.add(event.name());
      }
    }
    names.remove("");
    Set<String> all = new TreeSet<>(names);
    names.forEach(name -> all.add(Statements.device(name)));
    return String.join(" ", all);
  }

  /** The only queue pair of a device, to which its packets belong; empty if it has several. */
  private static List<String> onlyQueuePair(TimelineStep step, String device) {
    List<String> own =
        step.objects().stream()
            .filter(object -> object.isQueuePair() && object.name().startsWith(device + "."))
            .map(ObjectView::name)
            .toList();
    return own.size() == 1 ? own : List.of();
  }
}
