// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

/**
 * Lease of the event loop of a background network to a thread that would block. The thread then
 * receives its packets itself, and no other thread has to be woken. At other times the network's
 * own thread runs the loop. So observers may be called by any thread that uses a device.
 * Thread-safe; may be called under locks, except for {@link #runUntil}.
 */
public interface LoopLease {
  /** Lease that is never granted: the network's own thread runs all events. */
  LoopLease NONE =
      new LoopLease() {
        @Override
        public boolean tryAcquire() {
          return false;
        }

        @Override
        public void runUntil(long endNanos) {
          throw new UnsupportedOperationException("nothing was borrowed");
        }

        @Override
        public void release() {}

        @Override
        public void beforeBlock() {}

        @Override
        public void afterBlock() {}

        @Override
        public void notifyRunner(boolean isAwaited) {}
      };

  /**
   * Tries to let the calling thread run the network.
   *
   * @return false if another thread runs it; otherwise the caller has to {@link #release} it
   */
  boolean tryAcquire();

  /**
   * Runs the next event on the calling thread, which has acquired the lease and holds no lock.
   *
   * @param endNanos time at which to stop waiting, by {@link Scheduler#nowNanos}
   */
  void runUntil(long endNanos);

  /** Ends the lease of the calling thread. */
  void release();

  /** Called before the calling thread blocks, relying on other threads to run the network. */
  void beforeBlock();

  /** Called after the calling thread was blocked. */
  void afterBlock();

  /**
   * Tells the thread that runs the network that waiting threads have something to check.
   *
   * @param isAwaited whether one of them relied on others to bring it
   */
  void notifyRunner(boolean isAwaited);
}
