package io.queuepair.emulator.fabric;

/**
 * How a network in the background lets callers run it. A thread that would sleep until the
 * network's own thread has brought what it waits for takes the packet itself instead, so that one
 * thread less has to wake up. The network's own thread does all that is left. Whoever is called by
 * the network, as observers are, may so be called by any thread that uses a device. Thread-safe,
 * may be called holding locks, but for {@link #runUntil}.
 */
public interface Lending {
  /** The network's own thread does everything. */
  Lending NONE =
      new Lending() {
        @Override
        public boolean borrow() {
          return false;
        }

        @Override
        public void runUntil(long endNanos) {
          throw new UnsupportedOperationException("nothing was borrowed");
        }

        @Override
        public void giveBack() {}

        @Override
        public void fallAsleep() {}

        @Override
        public void wokeUp() {}

        @Override
        public void tell(boolean isAwaited) {}
      };

  /**
   * The calling thread wants to run the network.
   *
   * @return false if another thread does; otherwise it is for the caller to {@link #giveBack}
   */
  boolean borrow();

  /**
   * Runs what comes next on the calling thread, which has borrowed the network and holds no lock.
   *
   * @param endNanos when to wait no longer, by {@link Scheduler#nowNanos}
   */
  void runUntil(long endNanos);

  /** The calling thread does not run the network any more. */
  void giveBack();

  /** The calling thread is about to sleep until others have brought what it waits for. */
  void fallAsleep();

  /** The calling thread sleeps no more. */
  void wokeUp();

  /**
   * There is something new for threads that wait.
   *
   * @param isAwaited whether one of them relied on others to bring it
   */
  void tell(boolean isAwaited);
}
