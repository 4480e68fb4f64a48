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
  private final Deque<ScheduledThread> ready = new ArrayDeque<>();

  /** Threads that wait or poll, in the order in which they began. */
  private final List<ScheduledThread> waiting = new ArrayList<>();

  /** Threads that may be started; frameworks may take their time for that. */
  private final List<ScheduledThread> unstarted = new ArrayList<>();

  void addUnstarted(ScheduledThread one) {
    unstarted.add(one);
  }

  /** Makes threads ready that were started meanwhile. */
  void addStarted(long nowNanos) {
    Iterator<ScheduledThread> all = unstarted.iterator();
    while (all.hasNext()) {
      ScheduledThread one = all.next();
      if (one.thread().getState() != Thread.State.NEW) {
        all.remove();
        addLast(one, nowNanos);
      }
    }
  }

  void addWaiting(ScheduledThread one) {
    waiting.add(one);
  }

  /** Puts one in front of those that could run, as it did so already. */
  void addFirst(ScheduledThread one, long nowNanos) {
    one.becomeReady(nowNanos);
    ready.addFirst(one);
  }

  void addLast(ScheduledThread one, long nowNanos) {
    one.becomeReady(nowNanos);
    ready.addLast(one);
  }

  void remove(ScheduledThread one) {
    unstarted.remove(one);
    ready.remove(one);
    waiting.remove(one);
  }

  boolean isNobodyReady() {
    return ready.isEmpty();
  }

  /**
   * Makes threads ready whose wait may be over.
   *
   * @param mayPollersLook whether the network has moved
   */
  void wakeUp(long nowNanos, boolean mayPollersLook) {
    addStarted(nowNanos);
    Iterator<ScheduledThread> all = waiting.iterator();
    while (all.hasNext()) {
      ScheduledThread one = all.next();
      if (one.mayLook(nowNanos) || (mayPollersLook && one.state() == State.POLLING)) {
        all.remove();
        addLast(one, nowNanos);
      }
    }
  }

  /** The numbers of those that could run, the one that has been ready for longest first. */
  List<Integer> readyNumbers() {
    List<Integer> numbers = new ArrayList<>();
    ready.forEach(one -> numbers.add(one.number()));
    return numbers;
  }

  /** Takes out one that could run. */
  ScheduledThread take(int number) {
    ScheduledThread taken =
        ready.stream().filter(one -> one.number() == number).findFirst().orElseThrow();
    ready.remove(taken);
    return taken;
  }

  /** Whether all that could run have become ready less than a delay before a moment. */
  boolean areAllReadySince(long momentNanos, long delayNanos) {
    return ready.stream().allMatch(one -> momentNanos - one.readyNanos() <= delayNanos);
  }

  /** The first moment at which a wait ends by itself. */
  OptionalLong firstDeadlineNanos(long nowNanos) {
    long least = Long.MAX_VALUE;
    boolean hasAny = false;
    for (ScheduledThread one : waiting) {
      TurnWait wait = one.pendingWait();
      if (wait != null && wait.hasDeadline()) {
        least = Math.min(least, wait.deadlineNanos() - nowNanos);
        hasAny = true;
      }
    }
    return hasAny ? OptionalLong.of(nowNanos + least) : OptionalLong.empty();
  }

  /** No thread can ever run: the one that started the others says so, or else the first to wait. */
  void giveUp(String why, long nowNanos) {
    waiting.stream()
        .filter(one -> !one.isStarted())
        .findFirst()
        .or(() -> waiting.stream().findFirst())
        .ifPresent(one -> giveUp(one, why, nowNanos));
  }

  /** The wait of each of them has turned out to be in vain. */
  void giveUpAll(String why, long nowNanos) {
    List.copyOf(waiting).forEach(one -> giveUp(one, why, nowNanos));
  }

  private void giveUp(ScheduledThread one, String why, long nowNanos) {
    one.giveUp(why);
    waiting.remove(one);
    addLast(one, nowNanos);
  }
}
