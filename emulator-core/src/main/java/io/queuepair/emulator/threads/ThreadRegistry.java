// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.threads;

import io.queuepair.emulator.threads.ScheduledThread.State;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The threads that take turns, by number. Guarded by the lock of the scheduler. */
final class ThreadRegistry {
  private static final int MAX_NAMES = 10_000;

  private final IdentityHashMap<Thread, ScheduledThread> byThread = new IdentityHashMap<>();
  private final List<ScheduledThread> threads = new ArrayList<>();

  /** Names of the first 10,000 threads, by number; also of those that have ended. */
  private final List<String> names = new ArrayList<>();

  private int count;

  /**
   * Registers a thread.
   *
   * @param isStarted whether the emulator started it; false for a thread of the application
   */
  ScheduledThread add(String name, @Nullable Thread thread, boolean isStarted) {
    count++;
    ScheduledThread scheduledThread = new ScheduledThread(count, name, isStarted);
    scheduledThread.bind(thread);
    byThread.put(thread, scheduledThread);
    threads.add(scheduledThread);
    if (names.size() < MAX_NAMES) {
      names.add(name);
    }
    return scheduledThread;
  }

  void remove(ScheduledThread thread) {
    threads.remove(thread);
    byThread.remove(thread.thread());
  }

  /** The calling thread, or null if it does not take turns. */
  @Nullable ScheduledThread current() {
    return byThread.get(Thread.currentThread());
  }

  @Nullable ScheduledThread first() {
    return threads.stream().filter(thread -> !thread.isStarted()).findFirst().orElse(null);
  }

  boolean isAnyStarted() {
    return threads.stream().anyMatch(ScheduledThread::isStarted);
  }

  /** Threads that have not ended. */
  List<ScheduledThread> living() {
    return List.copyOf(threads);
  }

  List<ScheduledThread> outside() {
    return threads.stream().filter(thread -> thread.state() == State.OUTSIDE).toList();
  }

  /** The name of a thread by its number, also of one that has ended. */
  String nameOf(int number) {
    return number <= names.size() ? names.get(number - 1) : "#" + number;
  }
}
