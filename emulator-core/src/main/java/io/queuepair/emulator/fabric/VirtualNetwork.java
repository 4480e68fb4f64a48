// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A network in virtual time as its threads see it. It is for one at a time: each uses it for the
 * length of a call or a wait. Threads of the application may take turns.
 */
public interface VirtualNetwork {
  /**
   * The calling thread begins to use the network, for the length of a call or a wait. It may do so
   * again while it does.
   *
   * @throws FabricException if another thread uses it at this moment
   */
  void acquire();

  /** Ends what {@link #acquire} began. */
  void release();

  /**
   * A verb begins, outside of all locks: where threads take turns, others may have theirs first.
   *
   * @param verb which one
   * @throws FabricException as {@link #acquire}
   */
  void beginVerb(String verb);

  /** {@return whether a poll that finds nothing runs one event, so that a loop makes progress} */
  boolean pollRunsEvents();

  /** A poll, or a wait with a time limit, has found something. */
  void pollFoundSomething();

  /**
   * A poll has found nothing, or a wait with a time limit. A loop around it would never end if
   * nothing is left to happen.
   *
   * @return why it is of no use to poll again; empty as long as it may be
   */
  Optional<String> pollFoundNothing();

  /** {@return the threads of the application that take turns; empty before the first is started} */
  Optional<ThreadTurns> turns();

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
