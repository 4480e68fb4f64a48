// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import org.jspecify.annotations.Nullable;

/** The part of a network in virtual time that threads taking turns need. */
public interface VirtualNetwork {
  /**
   * From now on threads enter the network by turns.
   *
   * @param turns whose they are
   */
  void takeTurns(ThreadTurns turns);

  /** {@return whether there is an event to come} */
  boolean hasEvent();

  /** {@return when the next event is due, in nanoseconds; meaningless without one} */
  long nextEventNanos();

  /** {@return the thread inside the network, or null} */
  @Nullable Thread inside();

  /**
   * The calling thread leaves the network in the midst of a call, so that others can enter.
   *
   * @return what to give to {@link #comeBack}; 0 if it was not inside
   */
  int leave();

  /**
   * The calling thread is inside again.
   *
   * @param depth what {@link #leave} has returned
   */
  void comeBack(int depth);
}
