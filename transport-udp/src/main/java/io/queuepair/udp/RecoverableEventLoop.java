// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ManualIoEventLoop;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ThreadAwareExecutor;

/**
 * A loop that one thread runs, its owner. Once that one is dead, others may do what was asked of
 * the loop and end it, one at a time, so that sockets do not stay open for ever. They do not
 * receive.
 */
final class RecoverableEventLoop extends ManualIoEventLoop {
  private static final long ALL_TASKS = 0;

  private final IoHandler handler;
  private volatile Thread successor;

  /** Guarded by this. */
  private boolean isDestroyed;

  /** Remembers what it made, as Netty does not tell. */
  private static final class RememberingFactory implements IoHandlerFactory {
    private final IoHandlerFactory driver;
    private IoHandler made;

    RememberingFactory(IoHandlerFactory driver) {
      this.driver = driver;
    }

    @Override
    public IoHandler newHandler(ThreadAwareExecutor executor) {
      made = driver.newHandler(executor);
      return made;
    }
  }

  RecoverableEventLoop(IoHandlerFactory driver) {
    this(new RememberingFactory(driver));
  }

  private RecoverableEventLoop(RememberingFactory factory) {
    super(null, factory);
    handler = factory.made;
  }

  /** {@inheritDoc} Not while an interrupt is pending, which Netty forgets over NIO. */
  @Override
  protected boolean canBlock() {
    return !Thread.currentThread().isInterrupted();
  }

  @Override
  public boolean inEventLoop() {
    return isExecutorThread(Thread.currentThread());
  }

  @Override
  public boolean isExecutorThread(Thread thread) {
    return inEventLoop(thread) || successor == thread;
  }

  /**
   * Takes what has arrived, without tasks and timers; the owner runs the loop from time to time.
   */
  int runSockets() {
    return handler.run(SpinningHandler.GLANCE);
  }

  /**
   * Does what was asked of the loop, until something has happened or nothing is left to do. The
   * owner must be known to be dead.
   */
  synchronized void runTasksAsSuccessor(Future<?> awaited) {
    successor = Thread.currentThread();
    try {
      int ran;
      do {
        ran = runNonBlockingTasks(ALL_TASKS);
      } while (ran > 0 && !awaited.isDone());
    } finally {
      successor = null;
    }
  }

  /** Closes all sockets, and what waits for them. The owner must be known to be dead. */
  synchronized void closeAsSuccessor() {
    if (isDestroyed || isTerminated()) {
      return;
    }
    isDestroyed = true;
    successor = Thread.currentThread();
    try {
      runNonBlockingTasks(ALL_TASKS);
      handler.prepareToDestroy();
      handler.destroy();
    } finally {
      successor = null;
    }
  }
}
