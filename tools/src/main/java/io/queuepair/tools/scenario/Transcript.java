// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** What a run prints: each statement that has something to show, and below it what that is. */
final class Transcript {
  private static final String PROMPT = "> ";
  private static final String REFUSED = "refused: ";

  private final List<String> lines = new ArrayList<>();

  /** Lines that have not been parsed, without statements. */
  private final List<String> fresh = new ArrayList<>();

  private final UnaryOperator<String> names;

  /** Packets that no expectation has looked at. */
  private final Deque<String> packets = new ArrayDeque<>();

  private String pending = "";
  private String lastPacket = "";
  private String refusal = "";

  /** Without lines yet; in each, hosts get their names. */
  Transcript(UnaryOperator<String> names) {
    this.names = names;
  }

  /** A statement is carried out from now on. */
  void begin(Statement statement) {
    pending = PROMPT + statement.text();
    lastPacket = "";
    if (!statement.verb().equals(ExpectStatements.VERB)) {
      packets.clear();
      refusal = "";
    }
  }

  /** A line of the ladder. */
  void addPacket(String line) {
    lastPacket = names.apply(line);
    packets.add(lastPacket.stripTrailing());
    add(line);
  }

  /** The packet that was sent last since the statement began; empty if there was none. */
  String lastPacket() {
    return lastPacket;
  }

  /** Whether there is a packet that no expectation has looked at. */
  boolean hasPacket() {
    return !packets.isEmpty();
  }

  /** The next of them, which has been looked at from now on. */
  Optional<String> takePacket() {
    return Optional.ofNullable(packets.poll());
  }

  /** How the last statement that is no expectation was refused; empty if it was not. */
  String refusal() {
    return refusal;
  }

  void add(String line) {
    if (!pending.isEmpty()) {
      lines.add(pending);
      pending = "";
    }
    String named = names.apply(line).stripTrailing();
    lines.add(named);
    fresh.add(named);
    if (named.startsWith(REFUSED)) {
      refusal = named.substring(REFUSED.length());
    }
  }

  /** The lines, in order. */
  List<String> lines() {
    return List.copyOf(lines);
  }

  /** The lines since the last call, without statements. */
  List<String> takeFresh() {
    List<String> taken = List.copyOf(fresh);
    fresh.clear();
    return taken;
  }
}
