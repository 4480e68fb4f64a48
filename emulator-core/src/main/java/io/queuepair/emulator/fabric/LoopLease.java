// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

/**
 * Leases the event loop of a background network to a thread that would block. The thread then
 * receives its packets itself, and no other thread has to be woken. The network's own thread does
 * the rest. So observers may be called by any thread that uses a device. Thread-safe; may be called
 * under locks, except for {@link #runUntil}.
 */
public interface LoopLease {
  /** The network's own thread does everything. */
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
   * The calling thread wants to run the network.
   *
   * @return false if another thread does; otherwise it is for the caller to {@link #release}
   */
  boolean tryAcquire();

  /**
   * Runs what comes next on the calling thread, which has borrowed the network and holds no lock.
   *
   * @param endNanos when to wait no longer, by {@link Scheduler#nowNanos}
   */
  void runUntil(long endNanos);

  /** The calling thread does not run the network any more. */
  void release();

  /** The calling thread is about to sleep until others have brought what it waits for. */
  void beforeBlock();

  /** The calling thread sleeps no more. */
  void afterBlock();

  /**
   * There is something new for threads that wait.
   *
   * @param isAwaited whether one of them relied on others to bring it
   */
  void notifyRunner(boolean isAwaited);
}
