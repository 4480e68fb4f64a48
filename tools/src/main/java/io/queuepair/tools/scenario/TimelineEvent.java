// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

/** Something that is shown of a moment, in a line of its own. */
sealed interface TimelineEvent {
  /** The object that it is about; empty if that is none, or several. */
  default String name() {
    return "";
  }

  /** A statement, as it is written. */
  record Command(String text) implements TimelineEvent {}

  /** A packet, as it is sent. */
  record PacketSent(LadderLine line, NumberedPacket sent) implements TimelineEvent {}

  /** A packet arrives; the time is in microseconds. */
  record Arrived(String time, ArrivedPacket packet) implements TimelineEvent {}

  /** A queue pair is in another state; the time is in microseconds. */
  record StateChange(String time, String name, String from, String to) implements TimelineEvent {}

  /** A timer of a queue pair starts or has expired; the time is in microseconds. */
  record Timer(String time, String name, String text) implements TimelineEvent {}

  /** The run stops: a command cannot be carried out, or what is expected is not so. */
  record Failure(String text) implements TimelineEvent {}

  /** Any other line: a completion, an event, a refusal. */
  record Note(String text) implements TimelineEvent {}

  /** A change of an object for which nothing was printed. */
  record Change(String name, String text, boolean isFlush) implements TimelineEvent {
    boolean isCompletion() {
      return text.startsWith("completions +");
    }
  }

  /** Memory was read for a peer. */
  record MemoryRead(String name, MemoryView.Bytes bytes) implements TimelineEvent {
    /** The place, as commands write it. */
    String text() {
      return name + "+" + bytes.offset() + ":" + bytes.length() + " is read";
    }
  }

  /** Memory has other bytes than before. */
  record MemoryWritten(String name, MemoryView.Bytes bytes) implements TimelineEvent {
    /** The place, as commands write it, and what stands there: text if it is that. */
    String text() {
      String more = bytes.hex().length() < 2 * bytes.length() ? " ..." : "";
      String value = MemoryStatements.text(bytes.hex());
      return name + "+" + bytes.offset() + ":" + bytes.length() + " = " + value + more;
    }
  }
}
