package io.queuepair.udp;

import io.queuepair.emulator.fabric.FabricException;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Lets sockets be opened until the network closes, which waits for those under way: an event loop
 * that has ended could neither open nor close them. Several threads may open at once.
 */
final class Openings {
  /** Held for reading by those who open. */
  private final ReentrantReadWriteLock underWay = new ReentrantReadWriteLock();

  private volatile boolean isOver;

  /**
   * Opens something.
   *
   * @throws FabricException if the network is closed
   */
  void admit(Runnable opening) {
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
  void end() {
    isOver = true;
    underWay.writeLock().lock();
    try {
      assert underWay.getReadLockCount() == 0 : "somebody still opens";
    } finally {
      underWay.writeLock().unlock();
    }
  }
}
