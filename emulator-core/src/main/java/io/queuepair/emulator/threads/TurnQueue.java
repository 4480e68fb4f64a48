// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.threads;

import io.queuepair.emulator.fabric.TurnWait;
import io.queuepair.emulator.threads.ScheduledThread.State;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;

/** Ready, waiting and unstarted threads, in order. Guarded by the lock of the scheduler. */
final class TurnQueue {
  private final Deque<ScheduledThread> readyThreads = new ArrayDeque<>();

  /** Threads that wait or poll, in the order in which they began. */
  private final List<ScheduledThread> waitingThreads = new ArrayList<>();

  /** Threads that were not seen to be started; a framework may start them late. */
  private final List<ScheduledThread> unstartedThreads = new ArrayList<>();

  void addUnstarted(ScheduledThread thread) {
    unstartedThreads.add(thread);
  }

  /** Makes threads ready that were started meanwhile. */
  void addStarted(long nowNanos) {
    Iterator<ScheduledThread> threads = unstartedThreads.iterator();
    while (threads.hasNext()) {
      ScheduledThread thread = threads.next();
      if (thread.thread().getState() != Thread.State.NEW) {
        threads.remove();
        addLast(thread, nowNanos);
      }
    }
  }

  void addWaiting(ScheduledThread thread) {
    waitingThreads.add(thread);
  }

  /** Makes a thread ready ahead of the others, as it was running already. */
  void addFirst(ScheduledThread thread, long nowNanos) {
    thread.becomeReady(nowNanos);
    readyThreads.addFirst(thread);
  }

  void addLast(ScheduledThread thread, long nowNanos) {
    thread.becomeReady(nowNanos);
    readyThreads.addLast(thread);
  }

  void remove(ScheduledThread thread) {
    unstartedThreads.remove(thread);
    readyThreads.remove(thread);
    waitingThreads.remove(thread);
  }

  boolean isNobodyReady() {
    return readyThreads.isEmpty();
  }

  /**
   * Makes threads ready whose wait may be over.
   *
   * @param mayPollersLook whether the network has moved, so that polling threads are ready, too
   */
  void wakeUp(long nowNanos, boolean mayPollersLook) {
    addStarted(nowNanos);
    Iterator<ScheduledThread> threads = waitingThreads.iterator();
    while (threads.hasNext()) {
      ScheduledThread thread = threads.next();
      if (thread.mayLook(nowNanos) || (mayPollersLook && thread.state() == State.POLLING)) {
        threads.remove();
        addLast(thread, nowNanos);
      }
    }
  }

  /** Numbers of the ready threads in queue order, mostly the longest ready first. */
  List<Integer> readyNumbers() {
    List<Integer> numbers = new ArrayList<>();
    readyThreads.forEach(thread -> numbers.add(thread.number()));
    return numbers;
  }

  ScheduledThread take(int number) {
    ScheduledThread thread =
        readyThreads.stream().filter(t -> t.number() == number).findFirst().orElseThrow();
    readyThreads.remove(thread);
    return thread;
  }

  /** Whether all ready threads became ready at most a delay before a moment. */
  boolean areAllReadySince(long momentNanos, long delayNanos) {
    return readyThreads.stream()
        .allMatch(thread -> momentNanos - thread.readyNanos() <= delayNanos);
  }

  /** First end of a limited wait, in nanoseconds; empty if no wait is limited. */
  OptionalLong firstDeadlineNanos(long nowNanos) {
    long least = Long.MAX_VALUE;
    boolean hasAny = false;
    for (ScheduledThread thread : waitingThreads) {
      TurnWait wait = thread.pendingWait();
      if (wait != null && wait.hasDeadline()) {
        least = Math.min(least, wait.deadlineNanos() - nowNanos);
        hasAny = true;
      }
    }
    return hasAny ? OptionalLong.of(nowNanos + least) : OptionalLong.empty();
  }

  /** Ends one wait, as no thread can run: that of the starting thread, or the oldest. */
  void giveUp(String why, long nowNanos) {
    waitingThreads.stream()
        .filter(thread -> !thread.isStarted())
        .findFirst()
        .or(() -> waitingThreads.stream().findFirst())
        .ifPresent(thread -> giveUp(thread, why, nowNanos));
  }

  /** Ends all waits, as none can succeed. */
  void giveUpAll(String why, long nowNanos) {
    List.copyOf(waitingThreads).forEach(thread -> giveUp(thread, why, nowNanos));
  }

  private void giveUp(ScheduledThread thread, String why, long nowNanos) {
    thread.giveUp(why);
    waitingThreads.remove(thread);
    addLast(thread, nowNanos);
  }
}
