// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

/**
 * The slots of one send queue. A send takes one when it is posted. The slot is free when the
 * completion of that send, or of a later one, was polled, as with {@code wq->tail} of the rdma-core
 * providers. Numbers of sends wrap around, and are compared by their distance.
 */
public final class SendSlots {
  /** Number of the latest send that was posted. */
  private int taken;

  /** Number of the latest send whose slot is free. */
  private int freed;

  /** Number of the latest send that gives a completion, as far as is known; at least freed. */
  private int reported;

  /** All are free. */
  public SendSlots() {
    this(0);
  }

  /** The first send has the number behind this one. */
  SendSlots(int before) {
    taken = before;
    freed = before;
    reported = before;
  }

  /** How many are in use: by sends that are not done, and by those that wait for a poll. */
  public int inUse() {
    return taken - freed;
  }

  /** Whether one of the sends that have a slot gives a completion, as far as is known. */
  public boolean canBePolled() {
    return reported != freed;
  }

  /** Takes one for a send, whose number is returned. */
  int take(boolean isSignaled) {
    taken++;
    if (isSignaled) {
      reported = taken;
    }
    return taken;
  }

  /** The send of that number gives a completion, whether it is signaled or not. */
  void willReport(int number) {
    reported = later(reported, number);
  }

  /** Frees those of all sends up to a number, which may be free already. */
  void freeThrough(int number) {
    freed = later(freed, number);
    reported = later(reported, freed);
  }

  private static int later(int number, int other) {
    return other - number > 0 ? other : number;
  }

  /** Frees all; completions of before free none of those taken later. */
  public void freeAll() {
    freed = taken;
    reported = taken;
  }
}
