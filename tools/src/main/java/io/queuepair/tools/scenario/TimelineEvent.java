// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

/** Event of a step, displayed on a line of its own. */
sealed interface TimelineEvent {
  /** Name of the event's object; empty if it has none, or several. */
  default String name() {
    return "";
  }

  /** Statement, as written. */
  record Command(String text) implements TimelineEvent {}

  record PacketSent(LadderLine line, NumberedPacket sent) implements TimelineEvent {}

  /** Arrival of a packet; the time is in microseconds. */
  record Arrived(String time, ArrivedPacket packet) implements TimelineEvent {}

  /** Transition of a queue pair; the time is in microseconds. */
  record StateChange(String time, String name, String from, String to) implements TimelineEvent {}

  /** Start or expiry of a queue pair's timer; the time is in microseconds. */
  record Timer(String time, String name, String text) implements TimelineEvent {}

  /** Failure that stops the run: of a statement, or of an expectation. */
  record Failure(String text) implements TimelineEvent {}

  /** Other line of output: a completion, an asynchronous event, or a refusal. */
  record Note(String text) implements TimelineEvent {}

  /** Change of an object for which no output was printed. */
  record Change(String name, String text, boolean isFlush) implements TimelineEvent {
    boolean isCompletion() {
      return text.startsWith("completions +");
    }
  }

  /** Memory that was read for a peer. */
  record MemoryRead(String name, MemoryView.Bytes bytes) implements TimelineEvent {
    /** Memory range, in the syntax of statements. */
    String text() {
      return name + "+" + bytes.offset() + ":" + bytes.length() + " is read";
    }
  }

  /** Memory whose content has changed. */
  record MemoryWritten(String name, MemoryView.Bytes bytes) implements TimelineEvent {
    /** Memory range, in the syntax of statements, and its content, as text if printable. */
    String text() {
      String more = bytes.hex().length() < 2 * bytes.length() ? " ..." : "";
      String value = MemoryStatements.text(bytes.hex());
      return name + "+" + bytes.offset() + ":" + bytes.length() + " = " + value + more;
    }
  }
}
