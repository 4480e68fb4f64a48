// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.queuepair.emulator.fabric.FabricException;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Prevents sockets from being opened after the network is closed. Closing waits for sockets that
 * are being opened. Several threads may open at once.
 */
final class CloseGate {
  /** Read lock: held while something is opened. Write lock: taken by {@link #close}. */
  private final ReentrantReadWriteLock underWay = new ReentrantReadWriteLock();

  private volatile boolean isOver;

  /**
   * Runs an action that opens something.
   *
   * @throws FabricException if the network is closed
   */
  void enter(Runnable opening) {
    if (!underWay.readLock().tryLock()) {
      throw closed();
    }
    try {
      if (isOver) {
        throw closed();
      }
      opening.run();
    } finally {
      underWay.readLock().unlock();
    }
  }

  private static FabricException closed() {
    return new FabricException("The UDP network is closed", null);
  }

  /** Refuses later {@link #enter}s and waits for those in progress; not within one. */
  void close() {
    isOver = true;
    underWay.writeLock().lock();
    try {
      assert underWay.getReadLockCount() == 0 : "a thread still opens";
    } finally {
      underWay.writeLock().unlock();
    }
  }
}
