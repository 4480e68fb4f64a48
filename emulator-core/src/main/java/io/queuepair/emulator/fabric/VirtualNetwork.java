// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Network in virtual time, as its threads see it. One thread at a time uses it, for the length of a
 * call or a wait. Threads of the application may take turns.
 */
public interface VirtualNetwork {
  /**
   * Enters the network with the calling thread, for the length of a call or a wait. Reentrant.
   *
   * @throws FabricException if another thread is inside at this moment
   */
  void acquire();

  /** Leaves the network once, after one {@link #acquire}. */
  void release();

  /**
   * Called when a verb begins, outside of all locks. Where threads take turns, others may have
   * theirs first.
   *
   * @param verb name of the verb
   * @throws FabricException as {@link #acquire}
   */
  void beginVerb(String verb);

  /**
   * {@return whether a poll that finds nothing runs one event, so that a loop around it makes
   * progress}
   */
  boolean pollRunsEvents();

  /** Called when a poll, or a wait with a time limit, has found something. */
  void pollFoundSomething();

  /**
   * Called when a poll, or a wait with a time limit, has found nothing. A loop around it would
   * never end if no event is left.
   *
   * @return reason why polling again is of no use; empty as long as it may be
   */
  Optional<String> pollFoundNothing();

  /** {@return turns of the application's threads; empty before the first of them is started} */
  Optional<ThreadTurns> turns();

  /**
   * Makes threads enter the network by turns from now on.
   *
   * @param turns turns of the application's threads
   */
  void takeTurns(ThreadTurns turns);

  /** {@return whether an event is scheduled} */
  boolean hasEvent();

  /** {@return time of the next event in nanoseconds; meaningless without one} */
  long nextEventNanos();

  /** {@return the thread inside the network, or null} */
  @Nullable Thread inside();

  /**
   * Lets the calling thread leave the network in the middle of a call, so that others can enter.
   *
   * @return argument for {@link #comeBack}; 0 if the thread was not inside
   */
  int leave();

  /**
   * Lets the calling thread enter again after {@link #leave}.
   *
   * @param depth result of {@link #leave}
   */
  void comeBack(int depth);
}
