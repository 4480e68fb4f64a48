// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

/**
 * Slots of one send queue. A send takes one when it is posted. The slot is free when the completion
 * of that send, or of a later one, was polled, as with {@code wq->tail} of the rdma-core providers.
 * Numbers of sends wrap around, and are compared by their distance.
 */
public final class SendSlots {
  /** Number of the latest send that was posted. */
  private int taken;

  /** Number of the latest send whose slot is free. */
  private int freed;

  /** Number of the latest send known to give a completion; at least {@link #freed}. */
  private int reported;

  /** Creates slots that are all free. */
  public SendSlots() {
    this(0);
  }

  /** Creates free slots whose first send gets the number {@code before + 1}. */
  SendSlots(int before) {
    taken = before;
    freed = before;
    reported = before;
  }

  /** Number of slots in use: by sends not completed, and by those not polled. */
  public int inUse() {
    return taken - freed;
  }

  /** Whether a send with a slot is known to give a completion. */
  public boolean canBePolled() {
    return reported != freed;
  }

  /** Takes a slot and returns the number of its send. */
  int take(boolean isSignaled) {
    taken++;
    if (isSignaled) {
      reported = taken;
    }
    return taken;
  }

  /** Records that a send will give a completion though it may be unsignaled, as it failed. */
  void willReport(int number) {
    reported = later(reported, number);
  }

  /** Frees the slots of all sends up to a number; they may be free already. */
  void freeThrough(int number) {
    freed = later(freed, number);
    reported = later(reported, freed);
  }

  private static int later(int number, int other) {
    return other - number > 0 ? other : number;
  }

  /** Frees all slots; older completions free none of those taken later. */
  public void freeAll() {
    freed = taken;
    reported = taken;
  }
}
