// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

/**
 * Yields the processor now and then while a thread spins. With more threads than processors, a
 * spinning thread can starve the thread that it waits for. The count is approximate if threads
 * share an instance.
 */
public final class SpinYield {
  static final int SPINS_BEFORE_YIELD = 32;

  private final Runnable yield;
  private int vainLooks;

  /** Creates a counter of unsuccessful checks. */
  public SpinYield() {
    this(Thread::yield);
  }

  /** Constructor for tests. */
  SpinYield(Runnable yield) {
    this.yield = yield;
  }

  /**
   * Called by a spinning thread after each check for work.
   *
   * @param found whether there was work
   */
  public void looked(boolean found) {
    vainLooks = found ? 0 : vainLooks + 1;
    if (vainLooks >= SPINS_BEFORE_YIELD) {
      vainLooks = 0;
      yield.run();
    }
  }
}
