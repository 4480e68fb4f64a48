// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.threads;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A thread that the emulator has started. Thread-safe.
 *
 * <p>In virtual time wait for it with {@link #join()}, not with {@code toThread().join()}: a wait
 * that the emulator does not see makes the run non-deterministic.
 */
public final class ApplicationThread {
  private final ApplicationThreads threads;
  private final String name;
  private @Nullable Thread thread;

  /** Its exception, or null; guarded by the lock of {@link ApplicationThreads}, as those below. */
  private @Nullable Throwable failure;

  private boolean hasEnded;
  private boolean isReported;

  ApplicationThread(ApplicationThreads threads, String name) {
    this.threads = threads;
    this.name = name;
  }

  /** Makes the thread, a daemon. */
  void bind(Runnable body) {
    Thread daemon = new Thread(body, name);
    daemon.setDaemon(true);
    thread = daemon;
  }

  void end(@Nullable Throwable newFailure) {
    failure = newFailure;
    hasEnded = true;
  }

  boolean hasEnded() {
    return hasEnded;
  }

  /** Whether the thread was started, and has not ended. */
  boolean isRunning() {
    return !hasEnded && thread.getState() != Thread.State.NEW;
  }

  @Nullable Throwable failure() {
    return failure;
  }

  /** Whether the thread has failed, and no call has thrown that yet. */
  boolean hasNewFailure() {
    return failure != null && !isReported;
  }

  void setReported() {
    isReported = true;
  }

  /**
   * Name of the thread.
   *
   * @return the name that was given at its start
   */
  public String name() {
    return name;
  }

  /**
   * Waits until the thread has ended, while other threads take turns.
   *
   * @throws ApplicationThreadException if the thread threw something
   * @throws io.queuepair.verbs.VerbsException EDEADLK in virtual time, if the thread never ends;
   *     the message says what all threads wait for; EINTR if the calling thread is interrupted
   * @throws IllegalStateException if the calling thread is this one
   */
  public void join() {
    threads.join(this, null);
  }

  /**
   * Waits until the thread has ended, for a limited time.
   *
   * @param timeout how long at most, in the time of the network
   * @return whether the thread has ended
   * @throws ApplicationThreadException as {@link #join()}
   * @throws io.queuepair.verbs.VerbsException EINTR if the calling thread is interrupted
   * @throws IllegalStateException if the calling thread is this one
   */
  public boolean join(Duration timeout) {
    return threads.join(this, timeout);
  }

  /** Interrupts the thread: a wait of the emulator ends with EINTR, others as usual in Java. */
  public void interrupt() {
    thread.interrupt();
  }

  /**
   * Whether the thread has not ended.
   *
   * @return false once its work is done, or has failed
   */
  public boolean isAlive() {
    return !threads.hasEnded(this);
  }

  /**
   * The Java thread.
   *
   * @return the same object at every call
   */
  public @Nullable Thread toThread() {
    return thread;
  }

  @Override
  public String toString() {
    return "thread " + name;
  }
}
