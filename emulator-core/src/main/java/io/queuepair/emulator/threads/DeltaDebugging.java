// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.threads;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Finds out which items of a list are needed for a failure: leaves out all, then halves, and so on
 * down to single items, as long as the rest fails. The caller tries each list that {@link #next}
 * names and answers by {@link #failed} or {@link #passed}. Not thread-safe.
 *
 * @param <T> type of the items
 */
public final class DeltaDebugging<T> {
  private List<T> kept;

  /** Number of neighbouring items left out at a time; 0 when no item can be left out any more. */
  private int size;

  /** Index of the first item that is left out. */
  private int first;

  /** Whether items were removed since the beginning of this pass over the list. */
  private boolean isShorter;

  /**
   * Begins with all items.
   *
   * @param items items for which the failure occurs
   */
  public DeltaDebugging(List<T> items) {
    this(items, items.size());
  }

  /**
   * Begins by leaving out fewer items at a time.
   *
   * @param items items for which the failure occurs
   * @param size number of items left out first
   */
  DeltaDebugging(List<T> items, int size) {
    kept = items;
    this.size = Math.min(size, items.size());
  }

  /**
   * Reduces a list to the items that a failure needs.
   *
   * @param <T> type of the items
   * @param items items for which the failure occurs
   * @param fails whether it occurs for other lists
   * @return items for which it occurs, but not without any single one of them
   */
  public static <T> List<T> minimal(List<T> items, Predicate<List<T>> fails) {
    DeltaDebugging<T> reduction = new DeltaDebugging<>(items);
    while (!reduction.isMinimal()) {
      List<T> fewer = reduction.next();
      if (fails.test(fewer)) {
        reduction.failed(fewer);
      } else {
        reduction.passed();
      }
    }
    return reduction.kept();
  }

  /** {@return whether every single item left is needed, so that nothing is left to try} */
  public boolean isMinimal() {
    return size == 0;
  }

  /** {@return the shortest list so far for which the failure occurs} */
  public List<T> kept() {
    return kept;
  }

  /** {@return the items to try next; only while not {@link #isMinimal}} */
  public List<T> next() {
    List<T> fewer = new ArrayList<>(kept);
    fewer.subList(first, Math.min(first + size, kept.size())).clear();
    return fewer;
  }

  /**
   * Records that the items of {@link #next} fail.
   *
   * @param fewer these items, or those of them that turned out to be needed
   */
  public void failed(List<T> fewer) {
    kept = fewer; // The items that follow have moved to this index.
    isShorter = true;
    advance();
  }

  /** Records that the items of {@link #next} do not fail. */
  public void passed() {
    first += size;
    advance();
  }

  /** Halves the size after a pass; passes over single items repeat until one removes none. */
  private void advance() {
    while (size > 0 && (first >= kept.size() || size >= kept.size())) {
      size = size == 1 && isShorter ? 1 : size / 2;
      first = 0;
      isShorter = false;
    }
  }
}
