// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.threads;

import io.queuepair.emulator.fabric.TurnWait;
import org.jspecify.annotations.Nullable;

/** A thread that takes turns. Guarded by the lock of its scheduler, except for volatile fields. */
final class ScheduledThread {
  /** States of a thread. */
  enum State {
    /** Is made, but was not seen to be started. */
    NEW,
    /** Could run, and waits for its turn. */
    READY,
    /** Has the turn. */
    RUNNING,
    /** Waits for what its {@link TurnWait} says. */
    WAITING,
    /** Has polled in vain: waits until the network has moved. */
    POLLING,
    /** Is blocked outside of the emulator, or runs on from there, without the turn. */
    OUTSIDE,
    /** Has ended. */
    ENDED
  }

  private final int number;
  private final String name;
  private final boolean isStarted;
  private @Nullable Thread thread;

  private State state = State.NEW;
  private @Nullable TurnWait wait;
  private String verb = "start";
  private @Nullable String whyNever;
  private long readyNanos;
  private int decisions;

  /** Whether it may run; it sleeps until then. */
  private volatile boolean hasTurn;

  /** Whether it runs code of the application, having noticed that it has the turn. */
  private volatile boolean isAtWork;

  /** Whether it was interrupted while it slept; its flag is set again once it has the turn. */
  private volatile boolean wasInterrupted;

  /**
   * A thread that is not known to the scheduler yet.
   *
   * @param number from 1, in order of start
   * @param isStarted false for a thread of the application that came by itself
   */
  ScheduledThread(int number, String name, boolean isStarted) {
    this.number = number;
    this.name = name;
    this.isStarted = isStarted;
  }

  int number() {
    return number;
  }

  String name() {
    return name;
  }

  boolean isStarted() {
    return isStarted;
  }

  @Nullable Thread thread() {
    return thread;
  }

  void bind(@Nullable Thread newThread) {
    thread = newThread;
  }

  State state() {
    return state;
  }

  /** Enters a state in a verb. */
  void enter(State newState, String newVerb, @Nullable TurnWait newWait) {
    state = newState;
    verb = newVerb;
    wait = newWait;
    whyNever = null;
  }

  void becomeReady(long nowNanos) {
    state = State.READY;
    readyNanos = nowNanos;
  }

  void becomeRunning() {
    state = State.RUNNING;
    wait = null;
  }

  void moveOutside() {
    state = State.OUTSIDE;
    isAtWork = false;
  }

  void end() {
    state = State.ENDED;
    wait = null;
    isAtWork = false;
  }

  /** The verb that it was in last. */
  String verb() {
    return verb;
  }

  /** Wait of the thread, or null. */
  @Nullable TurnWait pendingWait() {
    return wait;
  }

  /** Since when it is ready, by the time of the network. */
  long readyNanos() {
    return readyNanos;
  }

  /** Counts a decision that this thread had to make. */
  int nextDecision() {
    return ++decisions;
  }

  /** Its wait has turned out to be one that never ends. */
  void giveUp(String why) {
    whyNever = why;
  }

  /** Why its wait never ends, or null. */
  @Nullable String whyNever() {
    return whyNever;
  }

  /** Whether its wait may be over. */
  boolean mayLook(long nowNanos) {
    return wasInterrupted
        || thread.isInterrupted()
        || (wait != null
            && (wait.isSignaled() || (wait.hasDeadline() && nowNanos - wait.deadlineNanos() >= 0)));
  }

  boolean hasTurn() {
    return hasTurn;
  }

  void setTurn(boolean turn) {
    hasTurn = turn;
  }

  boolean isAtWork() {
    return isAtWork;
  }

  void setAtWork(boolean atWork) {
    isAtWork = atWork;
  }

  /** Takes note of an interrupt while it sleeps, which would be of no use otherwise. */
  void keepInterrupt() {
    if (thread.isInterrupted()) {
      wasInterrupted = true; // Before the flag is cleared: one of the two is seen at any time.
      Thread.interrupted();
    }
  }

  /** Gives the flag back. */
  void restoreInterrupt() {
    if (wasInterrupted) {
      wasInterrupted = false;
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Describes the activity of the thread, and its place, as a sentence; called by the thread that
   * has the turn.
   */
  String describe() {
    TurnWait pendingWait = wait;
    String what =
        switch (state) {
          case NEW -> "is not started";
          case READY -> "could run";
          case RUNNING -> "runs, in " + verb;
          case WAITING ->
              "waits in " + verb + (pendingWait == null ? "" : " for " + pendingWait.what());
          case POLLING -> "polls in " + verb;
          case OUTSIDE -> "is " + thread.getState() + " outside of the emulator";
          case ENDED -> "has ended";
        };
    return this + " " + what + StackText.of(thread.getStackTrace());
  }

  @Override
  public String toString() {
    return "thread " + name;
  }
}
