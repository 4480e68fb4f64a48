// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.util.Optional;

/**
 * Application threads that run one at a time in virtual time. One has the turn, and passes it on
 * when it waits. The network moves when all wait.
 */
public interface ThreadTurns extends BlockedWorkReporter {
  /**
   * The calling thread enters the network, once it has the turn.
   *
   * @throws FabricException if it is none of the threads that take turns
   */
  void enter();

  /**
   * A verb begins, outside of all locks: others may have a turn first, if that was asked for.
   *
   * @param verb which one
   * @throws FabricException as {@link #enter}
   */
  void verbBegins(String verb);

  /**
   * A poll has found nothing: others have a turn, and if all wait, the network runs one event.
   *
   * @param verb which one
   * @throws FabricException as {@link #enter}
   */
  void pollFoundNothing(String verb);

  /**
   * The calling thread waits while others have their turns. It may return for no reason.
   *
   * @param wait what for
   * @return why the wait would never end; empty if the caller should look
   */
  Optional<String> await(TurnWait wait);

  /** {@return whether a thread is blocked outside of the emulator, and may yet do something} */
  boolean isAnyBlockedOutside();
}
