// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** What a run prints: each statement that has something to show, and below it what that is. */
final class Transcript {
  private static final String PROMPT = "> ";

  private final List<String> lines = new ArrayList<>();

  /** Lines that have not been parsed, without statements. */
  private final List<String> fresh = new ArrayList<>();

  private final UnaryOperator<String> names;
  private String pending = "";
  private String lastPacket = "";

  /** Without lines yet; in each, hosts get their names. */
  Transcript(UnaryOperator<String> names) {
    this.names = names;
  }

  /** A statement is carried out from now on. */
  void begin(Statement statement) {
    pending = PROMPT + statement.text();
    lastPacket = "";
  }

  /** A line of the ladder. */
  void addPacket(String line) {
    lastPacket = names.apply(line);
    add(line);
  }

  /** The packet that was sent last since the statement began; empty if there was none. */
  String lastPacket() {
    return lastPacket;
  }

  void add(String line) {
    if (!pending.isEmpty()) {
      lines.add(pending);
      pending = "";
    }
    String named = names.apply(line).stripTrailing();
    lines.add(named);
    fresh.add(named);
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
