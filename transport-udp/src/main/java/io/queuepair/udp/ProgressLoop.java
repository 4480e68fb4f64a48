// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.netty.channel.EventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.util.concurrent.Future;
import io.queuepair.emulator.fabric.AdaptiveSpin;
import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.fabric.LoopLease;
import io.queuepair.emulator.fabric.Scheduler.ProgressMode;
import java.util.concurrent.TimeUnit;

/** The event loop of a network, and which thread runs it. */
interface ProgressLoop {
  /** Longest wait for something that the loop does at once. */
  long AWAIT_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(5);

  /**
   * Makes the loop that the options ask for.
   *
   * @param sockets the kind of sockets that it drives
   */
  static ProgressLoop of(UdpOptions options, Sockets sockets) {
    boolean isBusy = options.busyPoll();
    IoHandlerFactory driver =
        isBusy
            ? sockets.driver()
            : SocketsHandler.factory(
                sockets.driver(), handler -> new SpinningHandler(handler, new AdaptiveSpin()));
    boolean lends = sockets.surviveInterrupts() && !isBusy;
    return switch (options.progress()) {
      case CALLER_DRIVEN -> new CallerDrivenLoop(driver, isBusy);
      case BACKGROUND -> new DedicatedThreadLoop(driver, lends);
      case VIRTUAL -> throw new AssertionError("checked by the options");
    };
  }

  EventLoop events();

  ProgressMode progress();

  /** The timers that the loop wakes. */
  LoopTimers timers();

  /**
   * Checks that the calling thread may open a socket and wait for that.
   *
   * @param verb name of the call, for the message
   * @throws FabricException if only another thread may, or the caller would wait for itself
   */
  void checkCallerMayOpen(String verb);

  /**
   * Waits for something that the loop does.
   *
   * @return false if it did not happen in time, or there is no thread to wait for
   */
  boolean await(Future<?> future, long nanos);

  /**
   * Runs the loop once on the calling thread, waiting for an event.
   *
   * @param nanos longest wait
   * @return false if another thread runs the loop, or the loop has ended
   */
  boolean runNext(long nanos);

  /**
   * Runs the loop once on the calling thread without waiting, if that thread may run it.
   *
   * @return whether there was anything to do
   */
  boolean runReady();

  /**
   * Runs a task soon, possibly at once on the calling thread if that does not run the loop. A task
   * submitted from within the loop waits until the sockets have been looked at again.
   */
  default void execute(Runnable task) {
    events().execute(task);
  }

  /** How callers may run a loop that has a thread of its own. */
  default LoopLease lease() {
    return LoopLease.NONE;
  }

  /**
   * Whether answers to arriving packets wait until the caller runs the loop again, so that they
   * leave together with what the caller posts meanwhile.
   */
  default boolean postponesAnswers() {
    return false;
  }

  /** Runs a task when the caller runs the loop again. */
  default void postpone(Runnable answers) {
    throw new UnsupportedOperationException("only a loop that callers drive postpones");
  }

  void close();
}
