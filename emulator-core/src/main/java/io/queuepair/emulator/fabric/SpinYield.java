// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

/**
 * Yields the processor now and then while a thread spins: with more threads than processors, a
 * spinning thread can starve the thread that it waits for. The count is approximate if threads
 * share it.
 */
public final class SpinYield {
  /** Looks without success before the others have their turn. */
  static final int SPINS_BEFORE_YIELD = 32;

  private final Runnable yield;
  private int vainLooks;

  /** No thread has looked yet. */
  public SpinYield() {
    this(Thread::yield);
  }

  /** For tests. */
  SpinYield(Runnable yield) {
    this.yield = yield;
  }

  /**
   * Called by a spinning thread after each look for work.
   *
   * @param found whether there was something
   */
  public void looked(boolean found) {
    vainLooks = found ? 0 : vainLooks + 1;
    if (vainLooks >= SPINS_BEFORE_YIELD) {
      vainLooks = 0;
      yield.run();
    }
  }
}
