// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A batch of calls that one thread has open on an object, such as polls of a completion queue. Its
 * lock is taken before the driver's.
 */
final class BatchSession {
  private final ReentrantLock lock = new ReentrantLock();

  /** Calls of the batch, for messages. */
  private final String what;

  /** Whether other threads wait for the end of the batch; otherwise they are refused. */
  private final boolean isShared;

  public BatchSession(String what, boolean isShared) {
    this.what = what;
    this.isShared = isShared;
  }

  /**
   * Opens a batch; waits for the end of a batch of another thread. This wait cannot deadlock: the
   * other thread can always end its batch. An interrupt ends the wait.
   *
   * @throws VerbsException EINVAL if this thread has a batch open, or if another thread has one
   *     though the use by one thread was promised; EINTR if the thread is interrupted while it
   *     waits
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

  /** Refuses a call if this thread has no batch open. */
  public void checkOpen(String verb) {
    if (!lock.isHeldByCurrentThread()) {
      throw refusal(verb, "this thread has no batch of " + what + " open");
    }
  }

  public void close() {
    lock.unlock();
  }

  public boolean isOpen() {
    return lock.isLocked();
  }

  private static VerbsException refusal(String verb, String message) {
    return new VerbsException(Errno.EINVAL, verb, message);
  }
}
