// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Something that is shown of a moment, in a line of its own. */
sealed interface TimelineEvent {
  /** A statement, as it is written. */
  record Command(String text) implements TimelineEvent {}

  /**
   * A packet, as it is sent.
   *
   * @param time in microseconds
   * @param source name of the host that sends it
   * @param destination name of the host that it goes to
   * @param opcode its opcode, or what else it is
   * @param fields its header fields
   * @param fault what was done to it on purpose; empty if nothing was
   */
  record PacketSent(
      String time, String source, String destination, String opcode, String fields, String fault)
      implements TimelineEvent {}

  /**
   * A queue pair is in another state.
   *
   * @param time in microseconds
   * @param name of the queue pair
   */
  record StateChange(String time, String name, String from, String to) implements TimelineEvent {}

  /** Any other line: a completion, an event, a refusal. */
  record Note(String text) implements TimelineEvent {}

  /**
   * Something in an object is different and nothing was printed.
   *
   * @param name of the object
   */
  record Change(String name, String text) implements TimelineEvent {}

  /** A line of a ladder; between host and arrow there may be blanks. */
  Pattern PACKET = Pattern.compile(" *([0-9.]+) us  (\\S+) +(--->|<---) (\\S+) +(\\S+) ?(.*)");

  /** What stands behind the fields of a packet to which something was done. */
  Pattern FAULT =
      Pattern.compile(
          "(.*?), ((?:dropped|doubled|overtaken|late|corrupted|rewritten|answered|forged): .*)");

  /** A line of a change of state. */
  Pattern STATE = Pattern.compile(" *([0-9.]+) us  (\\S+): (\\w+) -> (\\w+)");

  /** What is shown of a moment; {@code before} are the objects as they were. */
  static List<TimelineEvent> of(TimelineStep step, List<ObjectView> before) {
    List<TimelineEvent> happenings = new ArrayList<>();
    if (!step.statement().isEmpty()) {
      happenings.add(new Command(step.statement()));
    }
    step.output().forEach(line -> happenings.add(ofLine(line)));
    for (ObjectView object : step.objects()) {
      happenings.addAll(changes(find(before, object.name()), object));
    }
    if (happenings.isEmpty()) {
      for (ObjectView object : step.objects()) {
        addNumbers(happenings, find(before, object.name()), object);
      }
    }
    return happenings;
  }

  /** Numbers that are different: of interest where nothing else is. */
  private static void addNumbers(
      List<TimelineEvent> happenings, ObjectView before, ObjectView after) {
    for (Map.Entry<String, String> field : after.fields().entrySet()) {
      String old = before == null ? field.getValue() : before.fields().get(field.getKey());
      if (!field.getValue().equals(old)) {
        happenings.add(new Change(after.name(), field.getKey() + "=" + field.getValue()));
      }
    }
  }

  /** What a line says. */
  static TimelineEvent ofLine(String line) {
    Matcher packet = PACKET.matcher(line);
    if (packet.matches()) {
      boolean isToTheRight = packet.group(3).equals("--->");
      Matcher fault = FAULT.matcher(packet.group(6));
      boolean isFaulty = fault.matches();
      return new PacketSent(
          packet.group(1),
          packet.group(isToTheRight ? 2 : 4),
          packet.group(isToTheRight ? 4 : 2),
          packet.group(5),
          isFaulty ? fault.group(1) : packet.group(6),
          isFaulty ? fault.group(2) : "");
    }
    Matcher state = STATE.matcher(line);
    return state.matches()
        ? new StateChange(state.group(1), state.group(2), state.group(3), state.group(4))
        : new Note(line);
  }

  private static ObjectView find(List<ObjectView> objects, String name) {
    return objects.stream().filter(object -> object.name().equals(name)).findFirst().orElse(null);
  }

  /** What came into queues and went out of them; an object that is new has not changed. */
  private static List<TimelineEvent> changes(ObjectView before, ObjectView after) {
    List<TimelineEvent> changes = new ArrayList<>();
    if (before == null) {
      return changes;
    }
    for (Map.Entry<String, List<String>> queue : after.queues().entrySet()) {
      List<String> old = Objects.requireNonNullElse(before.queues().get(queue.getKey()), List.of());
      addDifference(changes, after.name() + " " + queue.getKey(), old, queue.getValue());
    }
    return changes;
  }

  private static void addDifference(
      List<TimelineEvent> changes, String where, List<String> before, List<String> after) {
    String name = where.substring(0, where.indexOf(' '));
    String queue = where.substring(name.length() + 1);
    List<String> gone = new ArrayList<>(before);
    after.forEach(gone::remove);
    List<String> come = new ArrayList<>(after);
    before.forEach(come::remove);
    if (!gone.isEmpty()) {
      changes.add(new Change(name, queue + " - " + String.join(", ", gone)));
    }
    if (!come.isEmpty()) {
      changes.add(new Change(name, queue + " + " + String.join(", ", come)));
    }
  }
}
