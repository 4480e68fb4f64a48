// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.util.Optional;

/**
 * Turns of application threads in virtual time, of which one runs at a time. A thread passes its
 * turn on when it waits. The network advances when all threads wait.
 */
public interface ThreadTurns extends BlockedWorkReporter {
  /**
   * Enters the network with the calling thread, once it has the turn.
   *
   * @throws FabricException if the thread does not take turns
   */
  void enter();

  /**
   * Called when a verb begins, outside of all locks. Other threads may have a turn first, if the
   * application asked for that.
   *
   * @param verb name of the verb
   * @throws FabricException as {@link #enter}
   */
  void verbBegins(String verb);

  /**
   * Called when a poll has found nothing. Other threads have a turn; if all wait, the network runs
   * one event.
   *
   * @param verb name of the verb
   * @throws FabricException as {@link #enter}
   */
  void pollFoundNothing(String verb);

  /**
   * Lets the calling thread wait while others have their turns. It may return spuriously.
   *
   * @param wait wait of the calling thread
   * @return reason why the wait would never end; empty if the caller should check
   */
  Optional<String> await(TurnWait wait);

  /** {@return whether a thread is blocked outside of the emulator, and may still do something} */
  boolean isAnyBlockedOutside();
}
