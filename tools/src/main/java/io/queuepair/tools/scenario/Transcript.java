// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Output of a run: statements with their results below. */
final class Transcript {
  private static final String PROMPT = "> ";
  private static final String REFUSED = "refused: ";
  private static final String UNDER_WAY = "packets are under way, which 'run' lets arrive";

  private final List<String> lines = new ArrayList<>();

  /** New output lines, without statements, that the recorder has not taken. */
  private final List<String> fresh = new ArrayList<>();

  private final UnaryOperator<String> names;

  /** Packets that no expectation has checked. */
  private final Deque<String> packets = new ArrayDeque<>();

  private String pending = "";
  private String lastPacket = "";
  private String refusal = "";

  /** First refusal that no {@code expect} statement has checked. */
  private Optional<Refusal> unexpected = Optional.empty();

  /** Line number of the current statement. */
  private int line;

  private boolean takesTime;

  /** Whether packets were sent and no later statement has run the network. */
  private boolean isUnderWay;

  private record Refusal(int line, String reason) {
    String text() {
      return "; line " + line + " was refused: " + reason;
    }
  }

  /**
   * Creates an empty transcript.
   *
   * @param names replaces addresses by host names in a line
   */
  Transcript(UnaryOperator<String> names) {
    this.names = names;
  }

  void begin(Statement statement) {
    pending = PROMPT + statement.text();
    lastPacket = "";
    line = statement.line();
    takesTime = statement.takesTime();
    isUnderWay &= !takesTime;
    if (!statement.isExpectation()) {
      packets.clear();
      refusal = "";
    }
  }

  void addPacket(String ladderLine) {
    lastPacket = names.apply(ladderLine);
    packets.add(lastPacket.stripTrailing());
    isUnderWay |= !takesTime;
    add(ladderLine);
  }

  /** Latest packet sent since the statement began; empty if there is none. */
  String lastPacket() {
    return lastPacket;
  }

  /** Whether there is a packet that no expectation has checked. */
  boolean hasPacket() {
    return !packets.isEmpty();
  }

  /** Takes the next packet that no expectation has checked. */
  Optional<String> takePacket() {
    return Optional.ofNullable(packets.poll());
  }

  /** Reason of the last refusal, or empty; marks the refusal as expected. */
  String takeRefusal() {
    unexpected = unexpected.filter(first -> !first.reason().equals(refusal));
    return refusal;
  }

  /** Likely causes of a failed expectation, to continue its sentence; may be empty. */
  String cause() {
    return unexpected.map(Refusal::text).orElse("") + (isUnderWay ? "; " + UNDER_WAY : "");
  }

  /** The first of these causes, without a line number; may be empty. */
  String causeInWords() {
    return unexpected.map(first -> REFUSED + first.reason()).orElse(isUnderWay ? UNDER_WAY : "");
  }

  void add(String text) {
    if (!pending.isEmpty()) {
      lines.add(pending);
      pending = "";
    }
    String named = names.apply(text).stripTrailing();
    lines.add(named);
    fresh.add(named);
    if (named.startsWith(REFUSED)) {
      refusal = named.substring(REFUSED.length());
      unexpected = unexpected.or(() -> Optional.of(new Refusal(line, refusal)));
    }
  }

  List<String> lines() {
    return List.copyOf(lines);
  }

  /** Returns the output lines since the last call, without statements. */
  List<String> takeFresh() {
    List<String> taken = List.copyOf(fresh);
    fresh.clear();
    return taken;
  }
}
