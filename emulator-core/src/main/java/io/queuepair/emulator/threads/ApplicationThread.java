// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.threads;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A thread that the emulator has started. Thread-safe.
 *
 * <p>In virtual time wait for it with {@link #join()}, not with {@code toThread().join()}: a wait
 * that the emulator does not see makes a run one that may differ the next time.
 */
public final class ApplicationThread {
  private final ApplicationThreads threads;
  private final String name;
  private @Nullable Thread thread;

  /** How it ended; guarded by the lock of {@link ApplicationThreads}, as the others. */
  private @Nullable Throwable failure;

  private boolean hasEnded;
  private boolean isReported;

  ApplicationThread(ApplicationThreads threads, String name) {
    this.threads = threads;
    this.name = name;
  }

  void bind(Thread newThread) {
    thread = newThread;
  }

  void end(@Nullable Throwable newFailure) {
    failure = newFailure;
    hasEnded = true;
  }

  boolean hasEnded() {
    return hasEnded;
  }

  /** Whether it was started, and has not ended. */
  boolean isRunning() {
    return !hasEnded && thread.getState() != Thread.State.NEW;
  }

  @Nullable Throwable failure() {
    return failure;
  }

  /** Whether it has failed, and that was not thrown yet. */
  boolean hasNewFailure() {
    return failure != null && !isReported;
  }

  void setReported() {
    isReported = true;
  }

  /**
   * Its name.
   *
   * @return as given when it was started
   */
  public String name() {
    return name;
  }

  /**
   * Waits until it has ended, while other threads have their turns.
   *
   * @throws ApplicationThreadException if it threw something
   * @throws io.queuepair.verbs.VerbsException EDEADLK in virtual time, if it never ends; says what
   *     all threads wait for; EINTR if the calling thread is interrupted
   * @throws IllegalStateException if the calling thread is this one
   */
  public void join() {
    threads.join(this, null);
  }

  /**
   * Waits until it has ended, for a limited time.
   *
   * @param timeout how long at most, in the time of the network
   * @return whether it has ended
   * @throws ApplicationThreadException as {@link #join()}
   * @throws io.queuepair.verbs.VerbsException EINTR if the calling thread is interrupted
   * @throws IllegalStateException if the calling thread is this one
   */
  public boolean join(Duration timeout) {
    return threads.join(this, timeout);
  }

  /** Interrupts it: a wait of the emulator ends with EINTR, others as they do in Java. */
  public void interrupt() {
    thread.interrupt();
  }

  /**
   * Whether it has not ended.
   *
   * @return false once its work is done, or has failed
   */
  public boolean isAlive() {
    return !threads.hasEnded(this);
  }

  /**
   * The thread itself.
   *
   * @return the same at every call
   */
  public @Nullable Thread toThread() {
    return thread;
  }

  @Override
  public String toString() {
    return "thread " + name;
  }
}
