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

/** The event loop of a network, and whose thread runs it. */
interface ProgressLoop {
  /** How long the end of something may take that the loop does at once. */
  long AWAIT_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(5);

  /**
   * The loop that the options ask for.
   *
   * @param sockets what it drives
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

  /**
   * Checks that the calling thread may open a socket, which it waits for.
   *
   * @param verb what it does, for the message
   * @throws FabricException if that is for another thread to do, or it would wait for itself
   */
  void checkCallerMayOpen(String verb);

  /**
   * Waits for something that the loop does.
   *
   * @return false if it did not happen in time, or there is no thread to wait for
   */
  boolean await(Future<?> future, long nanos);

  /**
   * Runs what comes next on the calling thread, which waits for it.
   *
   * @param nanos how long at most
   * @return false if that is not for the caller to do, or nothing will come any more
   */
  boolean runNext(long nanos);

  /**
   * Runs what can be run now on the calling thread, unless that is for another thread to do.
   *
   * @return whether there was anything
   */
  boolean runReady();

  /**
   * Runs something soon, possibly at once on the calling thread if it does not run the loop. What
   * the loop itself asks for waits until it has looked at the sockets again.
   */
  default void execute(Runnable task) {
    events().execute(task);
  }

  /** How callers may run a loop that has a thread of its own. */
  default LoopLease lease() {
    return LoopLease.NONE;
  }

  /**
   * Whether the answers to what is arriving wait until the caller runs the loop again, so that they
   * leave together with what it posts meanwhile.
   */
  default boolean postponesAnswers() {
    return false;
  }

  /** Runs something when the caller runs the loop again. */
  default void postpone(Runnable answers) {
    throw new UnsupportedOperationException("only a loop that callers drive postpones");
  }

  /** Ends the loop. */
  void close();
}
