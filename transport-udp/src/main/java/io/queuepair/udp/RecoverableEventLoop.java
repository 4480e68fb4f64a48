// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ManualIoEventLoop;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ThreadAwareExecutor;

/**
 * An event loop that one thread runs, its owner. Once the owner is dead, other threads may run the
 * tasks left and end the loop, one thread at a time, so that sockets do not stay open for ever.
 * They do not receive.
 */
final class RecoverableEventLoop extends ManualIoEventLoop {
  private static final long ALL_TASKS = 0;

  private final IoHandler handler;
  private volatile Thread successor;

  /** Guarded by this. */
  private boolean isDestroyed;

  /** Keeps the handler that it made, as Netty's event loop does not expose it. */
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

  /** {@inheritDoc} False while an interrupt is pending, which NIO of Netty would clear. */
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

  /** Polls the sockets only; the owner runs tasks and timers from time to time. */
  int runSockets() {
    return handler.run(SpinningHandler.GLANCE);
  }

  /** Runs tasks until a future is done or none is left; the owner must be dead. */
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

  /** Runs the tasks left, and closes all sockets. The owner must be known to be dead. */
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
