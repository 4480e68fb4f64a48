// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Output of a run: each statement that has something to show, and its results below it. */
final class Transcript {
  private static final String PROMPT = "> ";
  private static final String REFUSED = "refused: ";
  private static final String UNDER_WAY = "packets are under way, which 'run' lets arrive";

  private final List<String> lines = new ArrayList<>();

  /** Lines that have not been parsed, without statements. */
  private final List<String> fresh = new ArrayList<>();

  private final UnaryOperator<String> names;

  /** Packets that no expectation has looked at. */
  private final Deque<String> packets = new ArrayDeque<>();

  private String pending = "";
  private String lastPacket = "";
  private String refusal = "";

  /** The first refusal that no expectation has taken. */
  private Optional<Refusal> unexpected = Optional.empty();

  /** The line of the statement that is carried out. */
  private int line;

  private boolean takesTime;

  /** Whether packets have left for which no statement has let time pass. */
  private boolean isUnderWay;

  private record Refusal(int line, String reason) {
    String text() {
      return "; line " + line + " was refused: " + reason;
    }
  }

  /** Creates an empty transcript, in whose lines hosts get their names. */
  Transcript(UnaryOperator<String> names) {
    this.names = names;
  }

  /** A statement is carried out from now on. */
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

  /**
   * How the last statement that is no expectation was refused; empty if it was not. The refusal
   * counts as expected from now on.
   */
  String takeRefusal() {
    unexpected = unexpected.filter(first -> !first.reason().equals(refusal));
    return refusal;
  }

  /**
   * Names a likely cause of an expectation that does not hold: a refusal that none has taken, or
   * packets that no statement has let arrive. It continues the sentence that says what does not
   * hold; may be empty.
   */
  String cause() {
    return unexpected.map(Refusal::text).orElse("") + (isUnderWay ? "; " + UNDER_WAY : "");
  }

  /** The refusal of {@link #cause}, without a place, or else that packets are under way. */
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

  /** The lines since the last call, without statements. */
  List<String> takeFresh() {
    List<String> taken = List.copyOf(fresh);
    fresh.clear();
    return taken;
  }
}
