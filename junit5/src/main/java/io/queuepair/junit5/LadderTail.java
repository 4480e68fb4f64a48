// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import io.queuepair.emulator.observe.LadderLayout;
import java.util.ArrayDeque;
import java.util.List;

/** The last lines of a ladder trace. Thread-safe. */
final class LadderTail {
  private static final int MAX_LINES = 10_000;

  private final ArrayDeque<String> lines = new ArrayDeque<>();
  private long total;

  synchronized void add(String line) {
    if (lines.size() == MAX_LINES) {
      lines.removeFirst();
    }
    lines.addLast(line);
    total++;
  }

  synchronized void mark(long nanos, String what) {
    add(LadderLayout.time(nanos) + "  " + what);
    total--;
  }

  /** How many packets there were, kept or not. */
  synchronized long total() {
    return total;
  }

  /** The last lines, at most {@code count}. */
  synchronized List<String> last(int count) {
    return lines.stream().skip(Math.max(0, lines.size() - count)).toList();
  }
}
