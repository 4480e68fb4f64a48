// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.RandomAccess;

/** Traffic that travels together, in a reused list. */
final class TrafficList extends AbstractList<Traffic> implements RandomAccess {
  private Traffic[] places = new Traffic[1];
  private int size;

  @Override
  public Traffic get(int index) {
    if (index >= size) {
      throw new IndexOutOfBoundsException(index);
    }
    return places[index];
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public boolean add(Traffic next) {
    if (size == places.length) {
      places = Arrays.copyOf(places, 2 * size);
    }
    places[size] = next;
    size++;
    return true;
  }

  /** Empties the list, without letting go of what was in it. */
  @Override
  public void clear() {
    size = 0;
  }
}
