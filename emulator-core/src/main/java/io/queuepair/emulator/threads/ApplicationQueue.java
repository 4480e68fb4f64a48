// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.threads;

import io.queuepair.emulator.device.WaitDescription;
import io.queuepair.emulator.device.WaitQueue;
import java.time.Duration;
import java.util.AbstractQueue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A queue whose waits the emulator sees. Of the waiting threads, the first one to run takes an
 * element; the schedule decides which one that is.
 */
final class ApplicationQueue<E> extends AbstractQueue<E> implements BlockingQueue<E> {
  private final ThreadWaits waits;
  private final String name;
  private final int capacity;
  private final WaitQueue takers;
  private final WaitQueue putters;

  /** Guarded by the guard of {@link ThreadWaits}. */
  private final Deque<E> elements = new ArrayDeque<>();

  ApplicationQueue(ThreadWaits waits, String name, int capacity) {
    this.waits = waits;
    this.name = name;
    this.capacity = capacity;
    takers = waits.newQueue();
    putters = waits.newQueue();
  }

  @Override
  public void put(E element) throws InterruptedException {
    waits.awaitInterruptibly(putters, room("put"), () -> append(element), null);
  }

  @Override
  public boolean offer(E element) {
    return waits.await(putters, room("offer"), () -> append(element), Duration.ZERO).isPresent();
  }

  @Override
  public boolean offer(E element, long time, TimeUnit unit) throws InterruptedException {
    return waits
        .awaitInterruptibly(putters, room("offer"), () -> append(element), timeout(time, unit))
        .isPresent();
  }

  private static Duration timeout(long time, TimeUnit unit) {
    return Duration.ofNanos(Math.max(0, unit.toNanos(time)));
  }

  private WaitDescription room(String verb) {
    return new WaitDescription(verb, () -> "room in " + this);
  }

  private @Nullable E append(E element) {
    Objects.requireNonNull(element, "element");
    if (elements.size() >= capacity) {
      return null;
    }
    elements.addLast(element);
    takers.wake();
    return element;
  }

  @Override
  public E take() throws InterruptedException {
    return waits.awaitInterruptibly(takers, element("take"), this::removeFirst, null).orElseThrow();
  }

  @Override
  public @Nullable E poll() {
    return waits.await(takers, element("poll"), this::removeFirst, Duration.ZERO).orElse(null);
  }

  @Override
  public @Nullable E poll(long time, TimeUnit unit) throws InterruptedException {
    return waits
        .awaitInterruptibly(takers, element("poll"), this::removeFirst, timeout(time, unit))
        .orElse(null);
  }

  private WaitDescription element(String verb) {
    return new WaitDescription(verb, () -> "an element of " + this);
  }

  private @Nullable E removeFirst() {
    E first = elements.pollFirst();
    if (first != null) {
      putters.wake();
    }
    return first;
  }

  @Override
  public boolean remove(Object element) {
    boolean[] isRemoved = new boolean[1];
    waits.change(
        "remove",
        takers,
        () -> {
          isRemoved[0] = elements.remove(element);
          putters.wake();
        });
    return isRemoved[0];
  }

  @Override
  public int drainTo(Collection<? super E> target) {
    return drainTo(target, Integer.MAX_VALUE);
  }

  @Override
  public int drainTo(Collection<? super E> target, int maxElements) {
    if (target == this) {
      throw new IllegalArgumentException("a queue is not drained to itself");
    }
    List<E> drained = new ArrayList<>();
    waits.change(
        "drainTo",
        takers,
        () -> {
          while (drained.size() < maxElements && !elements.isEmpty()) {
            drained.add(elements.removeFirst());
          }
          putters.wake();
        });
    target.addAll(drained);
    return drained.size();
  }

  @Override
  public void clear() {
    drainTo(new ArrayList<>());
  }

  @Override
  public @Nullable E peek() {
    return waits.locked(elements::peekFirst);
  }

  @Override
  public int size() {
    return waits.locked(elements::size);
  }

  @Override
  public int remainingCapacity() {
    return capacity - size();
  }

  /** Iterates over a copy of the current elements; removes none. */
  @Override
  public Iterator<E> iterator() {
    return waits.locked(() -> List.copyOf(elements)).iterator();
  }

  @Override
  public String toString() {
    return "queue " + name + " (" + size() + " of " + capacity + " elements)";
  }
}
