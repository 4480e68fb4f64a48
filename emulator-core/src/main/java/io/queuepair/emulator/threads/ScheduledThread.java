// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.threads;

import io.queuepair.emulator.fabric.TurnWait;
import org.jspecify.annotations.Nullable;

/** A thread that takes turns. Guarded by the lock of its scheduler, except for volatile fields. */
final class ScheduledThread {
  enum State {
    /** Created, and not seen to be started. */
    NEW,
    /** Waits for its turn. */
    READY,
    /** Has the turn. */
    RUNNING,
    /** Waits as its {@link TurnWait} describes. */
    WAITING,
    /** Has polled in vain, and waits until the network has moved. */
    POLLING,
    /** Is blocked outside the emulator, or runs again after that, without the turn. */
    OUTSIDE,
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

  /** Whether the thread has the turn; it is parked until then. */
  private volatile boolean hasTurn;

  /** Whether the thread runs with the turn: false until it has noticed that it has the turn. */
  private volatile boolean isAtWork;

  /**
   * Whether the thread was interrupted while parked; its flag is set again once it has the turn.
   */
  private volatile boolean wasInterrupted;

  /**
   * Creates a thread in state NEW.
   *
   * @param number from 1, in order of registration
   * @param isStarted whether the emulator started it; false for a thread of the application
   */
  ScheduledThread(int number, String name, boolean isStarted) {
    this.number = number;
    this.name = name;
    this.isStarted = isStarted;
  }

  int number() {
    return number;
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

  /** Verb that the thread called last. */
  String verb() {
    return verb;
  }

  @Nullable TurnWait pendingWait() {
    return wait;
  }

  /** Time of the network at which the thread became ready, in nanoseconds. */
  long readyNanos() {
    return readyNanos;
  }

  /** Number of the next decision of this thread, from 1. */
  int nextDecision() {
    return ++decisions;
  }

  /** Records why the wait of the thread never ends. */
  void giveUp(String why) {
    whyNever = why;
  }

  @Nullable String whyNever() {
    return whyNever;
  }

  /**
   * Whether the thread should check its wait: it was signaled or interrupted, or its time is up.
   */
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

  /** Clears the interrupt flag and remembers it, as a thread with the flag set could not park. */
  void keepInterrupt() {
    if (thread.isInterrupted()) {
      wasInterrupted = true; // Set first: mayLook sees one of the two.
      Thread.interrupted();
    }
  }

  /** Sets the interrupt flag again, if it was cleared. */
  void restoreInterrupt() {
    if (wasInterrupted) {
      wasInterrupted = false;
      Thread.currentThread().interrupt();
    }
  }

  /** Describes what the thread does and where; called by the thread that has the turn. */
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
