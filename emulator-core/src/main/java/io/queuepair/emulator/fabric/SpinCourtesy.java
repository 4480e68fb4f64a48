package io.queuepair.emulator.fabric;

/**
 * Lets others have the processor now and then while somebody spins: with more threads than
 * processors, who spins may be what keeps the thread from running that it waits for. Threads that
 * share one count roughly.
 */
public final class SpinCourtesy {
  /** How often somebody looks in vain before the others have their turn. */
  static final int PATIENT_LOOKS = 32;

  private final Runnable yield;
  private int vainLooks;

  /** Nobody has looked yet. */
  public SpinCourtesy() {
    this(Thread::yield);
  }

  /** For tests. */
  SpinCourtesy(Runnable yield) {
    this.yield = yield;
  }

  /**
   * Somebody who spins has looked for something to do.
   *
   * @param found whether there was something
   */
  public void looked(boolean found) {
    vainLooks = found ? 0 : vainLooks + 1;
    if (vainLooks >= PATIENT_LOOKS) {
      vainLooks = 0;
      yield.run();
    }
  }
}
