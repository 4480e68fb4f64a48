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
 * @param <T> what it is a list of
 */
public final class DeltaDebugging<T> {
  private List<T> kept;

  /** How many neighbours are left out at a time; 0 when no more can be. */
  private int size;

  /** The first of them. */
  private int first;

  /** Whether any could be left out since the first of so many was tried. */
  private boolean isShorter;

  /**
   * Begins with all items.
   *
   * @param items for which it fails
   */
  public DeltaDebugging(List<T> items) {
    this(items, items.size());
  }

  /**
   * Begins by leaving out fewer at a time.
   *
   * @param items for which it fails
   * @param size how many are left out first
   */
  DeltaDebugging(List<T> items, int size) {
    kept = items;
    this.size = Math.min(size, items.size());
  }

  /**
   * Removes items.
   *
   * @param <T> what it is a list of
   * @param items for which it fails
   * @param fails whether it does so for other lists
   * @return those of the items without any single one of which it does not fail
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

  /** {@return the fewest items so far for which it fails} */
  public List<T> kept() {
    return kept;
  }

  /** {@return the items to try next, unless it is minimal} */
  public List<T> next() {
    List<T> fewer = new ArrayList<>(kept);
    fewer.subList(first, Math.min(first + size, kept.size())).clear();
    return fewer;
  }

  /**
   * The items of {@link #next} fail.
   *
   * @param fewer these, or those of them that turned out to matter
   */
  public void failed(List<T> fewer) {
    kept = fewer; // What comes next has moved to where these were.
    isShorter = true;
    advance();
  }

  /** The items of {@link #next} do not fail. */
  public void passed() {
    first += size;
    advance();
  }

  /** Halves the size after the last neighbours; that none is needed was tried first. */
  private void advance() {
    while (size > 0 && (first >= kept.size() || size >= kept.size())) {
      size = size == 1 && isShorter ? 1 : size / 2;
      first = 0;
      isShorter = false;
    }
  }
}
