// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.util.function.Supplier;

/** A wait of one application thread in virtual time, until it is signaled or a time has come. */
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
   * A wait that only a signal ends.
   *
   * @param verb that waits
   * @param what it waits for; asked while no lock is held
   * @return the wait
   */
  public static TurnWait forever(String verb, Supplier<String> what) {
    return new TurnWait(verb, what, false, 0);
  }

  /**
   * A wait that also ends at a moment.
   *
   * @param verb that waits
   * @param what it waits for; asked while no lock is held
   * @param deadlineNanos the moment, in nanoseconds of the network's time
   * @return the wait
   */
  public static TurnWait until(String verb, Supplier<String> what, long deadlineNanos) {
    return new TurnWait(verb, what, true, deadlineNanos);
  }

  /** There may be something to take. Any thread may call this, holding any lock. */
  public void signal() {
    isSignaled = true;
  }

  /** The thread is about to look; what is signaled from now on makes it look again. */
  public void beforeLook() {
    isSignaled = false;
  }

  /** {@return the verb that waits} */
  public String verb() {
    return verb;
  }

  /** {@return what it waits for} */
  public String what() {
    return what.get();
  }

  /** {@return whether it ends at a moment} */
  public boolean hasDeadline() {
    return hasDeadline;
  }

  /** {@return that moment, in nanoseconds of the network's time} */
  public long deadlineNanos() {
    return deadlineNanos;
  }

  /** {@return whether the thread should look} */
  public boolean isSignaled() {
    return isSignaled;
  }
}
