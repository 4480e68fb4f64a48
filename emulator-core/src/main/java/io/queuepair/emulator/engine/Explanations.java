// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Queue of sentences about what a device refuses, drops or has no room for. Of a repeated sentence
 * the 1st, 10th, 100th occurrence and so on are kept.
 */
public final class Explanations {
  private static final int MAX_COUNTED = 256;

  private final Deque<String> untaken = new ArrayDeque<>();
  private final Map<String, Integer> times = new LinkedHashMap<>();
  private boolean areWanted;

  /** Keeps sentences from now on. */
  public void want() {
    areWanted = true;
  }

  /** Whether sentences are kept; if not, callers need not build them. */
  public boolean areWanted() {
    return areWanted;
  }

  public void add(String sentence) {
    if (!areWanted) {
      return;
    }
    if (times.size() == MAX_COUNTED && !times.containsKey(sentence)) {
      times.clear();
    }
    int count = times.merge(sentence, 1, Integer::sum);
    if (isPowerOfTen(count)) {
      untaken.addLast(count == 1 ? sentence : sentence + " (" + count + " times)");
    }
  }

  private static boolean isPowerOfTen(int count) {
    int rest = count;
    while (rest % 10 == 0) {
      rest /= 10;
    }
    return rest == 1;
  }

  public boolean isEmpty() {
    return untaken.isEmpty();
  }

  /** Removes the oldest sentence; null if there is none. */
  public @Nullable String poll() {
    return untaken.pollFirst();
  }
}
