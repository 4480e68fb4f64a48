package io.queuepair.tools.scenario;

import java.util.ArrayList;
import java.util.List;

/** What a run prints: each statement that has something to show, and below it what that is. */
final class Transcript {
  private static final String PROMPT = "> ";

  private final List<String> lines = new ArrayList<>();

  /** Lines that nobody has looked at, without statements. */
  private final List<String> fresh = new ArrayList<>();

  private String pending = "";
  private String lastPacket = "";

  /** A statement is carried out from now on. */
  void begin(Statement statement) {
    pending = PROMPT + statement.text();
    lastPacket = "";
  }

  /** A line of the ladder. */
  void addPacket(String line) {
    lastPacket = line;
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
    lines.add(line.stripTrailing());
    fresh.add(line.stripTrailing());
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
