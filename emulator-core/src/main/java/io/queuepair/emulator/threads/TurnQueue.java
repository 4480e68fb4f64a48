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

/** The runnable, waiting and unstarted threads, in order. Guarded by the lock of the scheduler. */
final class TurnQueue {
  private final Deque<ScheduledThread> readyThreads = new ArrayDeque<>();

  /** Threads that wait or poll, in the order in which they began. */
  private final List<ScheduledThread> waitingThreads = new ArrayList<>();

  /** Threads that may be started; frameworks may take their time for that. */
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

  /** Puts one in front of those that could run, as it did so already. */
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
   * @param mayPollersLook whether the network has moved
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

  /** The numbers of those that could run, the one that has been ready for longest first. */
  List<Integer> readyNumbers() {
    List<Integer> numbers = new ArrayList<>();
    readyThreads.forEach(thread -> numbers.add(thread.number()));
    return numbers;
  }

  /** Takes out one that could run. */
  ScheduledThread take(int number) {
    ScheduledThread thread =
        readyThreads.stream().filter(t -> t.number() == number).findFirst().orElseThrow();
    readyThreads.remove(thread);
    return thread;
  }

  /** Whether all that could run have become ready less than a delay before a moment. */
  boolean areAllReadySince(long momentNanos, long delayNanos) {
    return readyThreads.stream()
        .allMatch(thread -> momentNanos - thread.readyNanos() <= delayNanos);
  }

  /** The first moment at which a wait ends by itself. */
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

  /** No thread can ever run: the one that started the others says so, or else the first to wait. */
  void giveUp(String why, long nowNanos) {
    waitingThreads.stream()
        .filter(thread -> !thread.isStarted())
        .findFirst()
        .or(() -> waitingThreads.stream().findFirst())
        .ifPresent(thread -> giveUp(thread, why, nowNanos));
  }

  /** The wait of each of them has turned out to be in vain. */
  void giveUpAll(String why, long nowNanos) {
    List.copyOf(waitingThreads).forEach(thread -> giveUp(thread, why, nowNanos));
  }

  private void giveUp(ScheduledThread thread, String why, long nowNanos) {
    thread.giveUp(why);
    waitingThreads.remove(thread);
    addLast(thread, nowNanos);
  }
}
