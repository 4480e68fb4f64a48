// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.shrink;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Finds out which items of a list are needed for a failure: first by halves, then one by one. */
public final class DeltaDebugging {
  private DeltaDebugging() {}

  /**
   * Removes items.
   *
   * @param <T> what it is a list of
   * @param items for which it fails
   * @param fails whether it does so for other lists
   * @return those of the items without any single one of which it does not fail
   */
  public static <T> List<T> minimal(List<T> items, Predicate<List<T>> fails) {
    if (items.isEmpty() || fails.test(List.of())) {
      return List.of();
    }
    List<T> kept = items;
    for (int chunk = Math.max(1, items.size() / 2); ; chunk = Math.max(1, chunk / 2)) {
      List<T> fewer = withoutChunks(kept, chunk, fails);
      boolean isDone = chunk == 1 && fewer.size() == kept.size();
      kept = fewer;
      if (isDone) {
        return kept;
      }
    }
  }

  private static <T> List<T> withoutChunks(List<T> items, int chunk, Predicate<List<T>> fails) {
    List<T> kept = items;
    int from = 0;
    while (from < kept.size()) {
      List<T> fewer = new ArrayList<>(kept.subList(0, from));
      fewer.addAll(kept.subList(Math.min(kept.size(), from + chunk), kept.size()));
      if (!fewer.isEmpty() && fails.test(fewer)) {
        kept = fewer;
      } else {
        from += chunk;
      }
    }
    return kept;
  }
}
