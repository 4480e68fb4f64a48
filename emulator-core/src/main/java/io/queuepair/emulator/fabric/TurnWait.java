// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.util.function.Supplier;

/** Wait of one application thread in virtual time, until a signal or a deadline. */
public final class TurnWait {
  private final String verb;
  private final Supplier<String> what;
  private final boolean hasDeadline;
  private final long deadlineNanos;
  private volatile boolean isSignaled;

  private TurnWait(String verb, Supplier<String> what, boolean hasDeadline, long deadlineNanos) {
    this.verb = verb;
    this.what = what;
    this.hasDeadline = hasDeadline;
    this.deadlineNanos = deadlineNanos;
  }

  /**
   * Creates a wait that only a signal ends.
   *
   * @param verb name of the waiting verb
   * @param what supplier of what it waits for, called while no lock is held
   * @return the wait
   */
  public static TurnWait forever(String verb, Supplier<String> what) {
    return new TurnWait(verb, what, false, 0);
  }

  /**
   * Creates a wait with a deadline.
   *
   * @param verb name of the waiting verb
   * @param what supplier of what it waits for, called while no lock is held
   * @param deadlineNanos deadline, in nanoseconds of the network's time
   * @return the wait
   */
  public static TurnWait until(String verb, Supplier<String> what, long deadlineNanos) {
    return new TurnWait(verb, what, true, deadlineNanos);
  }

  /** Tells the thread to check again. Any thread may call this, holding any lock. */
  public void signal() {
    isSignaled = true;
  }

  /** Clears the signal before the thread checks; a later signal makes it check again. */
  public void beforeLook() {
    isSignaled = false;
  }

  /** {@return name of the waiting verb} */
  public String verb() {
    return verb;
  }

  /** {@return what the verb waits for} */
  public String what() {
    return what.get();
  }

  /** {@return whether the wait has a deadline} */
  public boolean hasDeadline() {
    return hasDeadline;
  }

  /** {@return the deadline, in nanoseconds of the network's time} */
  public long deadlineNanos() {
    return deadlineNanos;
  }

  /** {@return whether the thread should check} */
  public boolean isSignaled() {
    return isSignaled;
  }
}
