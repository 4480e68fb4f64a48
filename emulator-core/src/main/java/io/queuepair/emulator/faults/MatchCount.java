// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import java.math.BigDecimal;
import java.util.SplittableRandom;

/** Selects some of the matching packets or calls, as {@code toString} says in plan language. */
sealed interface MatchCount {
  /**
   * Whether the next match is selected.
   *
   * @param number number of the match, from 1
   */
  boolean takes(long number, SplittableRandom random);

  record All() implements MatchCount {
    @Override
    public boolean takes(long number, SplittableRandom random) {
      return true;
    }

    @Override
    public String toString() {
      return "";
    }
  }

  /** Each match with a probability of 0 to 1. */
  record Probability(double probability) implements MatchCount {
    @Override
    public boolean takes(long number, SplittableRandom random) {
      return random.nextDouble() < probability;
    }

    @Override
    public String toString() {
      BigDecimal percent = BigDecimal.valueOf(probability).movePointRight(2).stripTrailingZeros();
      return percent.toPlainString() + "%";
    }
  }

  /** Matches from one number to another, both included. */
  record Range(long first, long last) implements MatchCount {
    static final long OPEN = Long.MAX_VALUE;

    @Override
    public boolean takes(long number, SplittableRandom random) {
      return number >= first && number <= last;
    }

    @Override
    public String toString() {
      if (first == last) {
        return ordinal(first);
      }
      return ordinal(first) + ".." + (last == OPEN ? "" : ordinal(last));
    }
  }

  /** Matches whose number is a multiple of a step. */
  record Every(long step) implements MatchCount {
    @Override
    public boolean takes(long number, SplittableRandom random) {
      return number % step == 0;
    }

    @Override
    public String toString() {
      return "every " + ordinal(step);
    }
  }

  private static String ordinal(long number) {
    boolean isTeen = number % 100 / 10 == 1;
    String ending =
        switch (isTeen ? 0 : (int) (number % 10)) {
          case 1 -> "st";
          case 2 -> "nd";
          case 3 -> "rd";
          default -> "th";
        };
    return number + ending;
  }
}
