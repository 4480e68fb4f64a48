// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Bounded first-in first-out queue with numbered entries: the first entry ever added is 0, and
 * numbers never change.
 */
public final class Ring<T extends @Nullable Object> {
  private static final int INITIAL_SLOTS = 2;
  private static final Object[] NO_SLOTS = {};

  private int capacity;

  /** Entries by number modulo length: 0 or a power of two, which grows when needed. */
  private Object[] slots = NO_SLOTS;

  private long head;
  private long tail;

  /** Removed entries that still take up room. */
  private int held;

  /** Listener to the free room, called whenever it has grown; or null. */
  private @Nullable IntConsumer roomListener;

  public Ring(int capacity) {
    this.capacity = capacity;
  }

  public int capacity() {
    return capacity;
  }

  /** Changes the capacity, to no less than the outstanding entries. */
  public void resize(int newCapacity) {
    assert newCapacity >= outstanding();
    capacity = newCapacity;
    tellRoom();
  }

  /**
   * Sets a listener to the free room, called now and whenever it has grown.
   *
   * @param listener null for none; the previous listener gets 0
   */
  public void tellRoomTo(@Nullable IntConsumer listener) {
    if (roomListener != null && roomListener != listener) {
      roomListener.accept(0);
    }
    roomListener = listener;
    tellRoom();
  }

  private void tellRoom() {
    if (roomListener != null) {
      roomListener.accept(capacity - outstanding());
    }
  }

  public int size() {
    return (int) (tail - head);
  }

  /** The sum of a size of all entries, if all are like the oldest. */
  public long total(ToLongFunction<T> sizeOf) {
    return isEmpty() ? 0 : size() * sizeOf.applyAsLong(get(head));
  }

  /** Number of entries that take up room: queued and held ones. */
  public int outstanding() {
    return size() + held;
  }

  public boolean isEmpty() {
    return head == tail;
  }

  public boolean isFull() {
    return outstanding() == capacity;
  }

  /** Frees the room of a held entry. */
  public void release() {
    assert held > 0;
    held--;
    tellRoom();
  }

  /** Number of the oldest entry. */
  public long head() {
    return head;
  }

  /** Number that the next entry pushed will get. */
  public long tail() {
    return tail;
  }

  public void push(T entry) {
    assert !isFull();
    if (size() == slots.length) {
      grow();
    }
    slots[slotOf(tail)] = entry;
    tail++;
  }

  /** Entry with a number from head to tail - 1. */
  public T get(long number) {
    assert number - head >= 0;
    assert tail - number > 0;
    return entryAt(slotOf(number));
  }

  public @Nullable T peek() {
    return isEmpty() ? null : entryAt(slotOf(head));
  }

  public @Nullable T poll() {
    if (isEmpty()) {
      return null;
    }
    T entry = remove();
    tellRoom();
    return entry;
  }

  /** Removes and returns the oldest entry, or null; {@link #release} frees its room. */
  public @Nullable T pollAndHold() {
    if (isEmpty()) {
      return null;
    }
    held++;
    return remove();
  }

  private T remove() {
    int slot = slotOf(head);
    T entry = entryAt(slot);
    slots[slot] = null;
    head++;
    return entry;
  }

  /** The entries, oldest first, as a new list. */
  public List<T> toList() {
    List<T> entries = new ArrayList<>(size());
    for (long number = head; number < tail; number++) {
      entries.add(get(number));
    }
    return entries;
  }

  public void clear() {
    assert held == 0 : held;
    Arrays.fill(slots, null);
    head = tail;
    tellRoom();
  }

  @SuppressWarnings("unchecked") // Only push() stores, and it stores a T.
  private T entryAt(int slot) {
    return (T) slots[slot];
  }

  private int slotOf(long number) {
    return (int) number & (slots.length - 1);
  }

  private void grow() {
    Object[] smaller = slots;
    int mask = smaller.length - 1;
    slots = new Object[Math.max(INITIAL_SLOTS, 2 * smaller.length)];
    for (long number = head; number < tail; number++) {
      slots[slotOf(number)] = smaller[(int) number & mask];
    }
  }
}
