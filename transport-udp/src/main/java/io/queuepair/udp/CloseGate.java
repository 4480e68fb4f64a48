// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.queuepair.emulator.fabric.FabricException;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Prevents sockets from being opened after the network is closed. Closing waits for those that are
 * being opened. Several threads may open at once.
 */
final class CloseGate {
  /** Held for reading by those who open. */
  private final ReentrantReadWriteLock underWay = new ReentrantReadWriteLock();

  private volatile boolean isOver;

  /**
   * Opens something.
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

  /** Refuses all that come from now on, and waits for those under way. Not to be called by one. */
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
