// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An open batch of calls on one object, such as the polls of a completion queue. It belongs to the
 * thread that opened it. Its lock is taken before the driver's.
 */
final class BatchSession {
  private final ReentrantLock lock = new ReentrantLock();

  /** What the batch is of, for messages. */
  private final String what;

  /** Whether other threads may wait for the end of the batch. */
  private final boolean isShared;

  /**
   * Begins without a batch.
   *
   * @param what what it is of, for messages
   * @param isShared whether another thread waits for the end of the batch, or is refused
   */
  public BatchSession(String what, boolean isShared) {
    this.what = what;
    this.isShared = isShared;
  }

  /**
   * Opens a batch, if need be after that of another thread. That wait knows no deadlock: the other
   * thread can always end its batch. An interrupt ends it.
   *
   * @throws VerbsException EINVAL if this thread has a batch open, or another one has though one
   *     thread was promised; EINTR if the thread is interrupted while it waits
   */
  public void open(String verb) {
    if (lock.isHeldByCurrentThread()) {
      throw refusal(verb, "this thread has a batch of " + what + " open");
    }
    if (lock.tryLock()) {
      return;
    }
    if (!isShared) {
      throw refusal(
          verb,
          "another thread has a batch of " + what + " open, but one thread at a time was promised");
    }
    try {
      lock.lockInterruptibly();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new VerbsException(
          Errno.EINTR,
          verb,
          "interrupted while another thread had a batch of " + what + " open",
          interrupted);
    }
  }

  /** Refuses what can be done only while this thread has a batch open. */
  public void checkOpen(String verb) {
    if (!lock.isHeldByCurrentThread()) {
      throw refusal(verb, "this thread has no batch of " + what + " open");
    }
  }

  /** Ends the batch, which this thread has opened. */
  public void close() {
    lock.unlock();
  }

  /** Whether any thread has a batch open. */
  public boolean isOpen() {
    return lock.isLocked();
  }

  private static VerbsException refusal(String verb, String message) {
    return new VerbsException(Errno.EINVAL, verb, message);
  }
}
