package io.queuepair.emulator.device;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The batch of polls of one completion queue, which belongs to the thread that opened it. Its lock
 * is taken before the driver's.
 */
final class PollBatch {
  private final ReentrantLock lock = new ReentrantLock();

  /** Whether other threads may wait for the end of the batch. */
  private final boolean isShared;

  PollBatch(boolean isShared) {
    this.isShared = isShared;
  }

  /** Opens a batch, if need be after that of another thread. */
  void open(String verb) {
    if (lock.isHeldByCurrentThread()) {
      throw refusal(verb, "this thread has a batch of polls open");
    }
    if (isShared) {
      lock.lock();
    } else if (!lock.tryLock()) {
      throw refusal(verb, "another thread polls the queue, which is SINGLE_THREADED");
    }
  }

  /** Refuses what can be done only while this thread has a batch open. */
  void checkOpen(String verb) {
    if (!lock.isHeldByCurrentThread()) {
      throw refusal(verb, "this thread has no batch of polls open");
    }
  }

  /** Ends the batch, which this thread has opened. */
  void close() {
    lock.unlock();
  }

  /** Whether any thread has a batch open. */
  boolean isOpen() {
    return lock.isLocked();
  }

  private static VerbsException refusal(String verb, String message) {
    return new VerbsException(Errno.EINVAL, verb, message);
  }
}
