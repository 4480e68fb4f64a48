// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.netty.channel.EventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.fabric.LoopLease;
import io.queuepair.emulator.fabric.Scheduler.ProgressMode;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An event loop with its own daemon thread. A caller that would block may run the loop instead. */
final class DedicatedThreadLoop implements ProgressLoop {
  private static final Logger LOG = LoggerFactory.getLogger(DedicatedThreadLoop.class);

  private final LeasableEventLoop events;

  /**
   * Makes a loop whose thread starts with the first socket.
   *
   * @param lends whether callers may run it
   */
  DedicatedThreadLoop(IoHandlerFactory handler, boolean lends) {
    events = new LeasableEventLoop(new DefaultThreadFactory("queuepair-udp", true), handler, lends);
  }

  @Override
  public EventLoop events() {
    return events;
  }

  @Override
  public ProgressMode progress() {
    return ProgressMode.BACKGROUND;
  }

  @Override
  public LoopTimers timers() {
    return events.timers();
  }

  @Override
  public void checkCallerMayOpen(String verb) {
    if (events.inEventLoop()) {
      throw new FabricException(
          verb + " was called by the network's own thread, which would wait for itself", null);
    }
  }

  @Override
  public boolean await(Future<?> future, long nanos) {
    return events.inEventLoop() || future.awaitUninterruptibly(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public boolean runNext(long nanos) {
    return false;
  }

  @Override
  public boolean runReady() {
    return events.runReady();
  }

  @Override
  public void execute(Runnable task) {
    events.executeHere(task);
  }

  @Override
  public LoopLease lease() {
    return events;
  }

  @Override
  public void close() {
    Future<?> ended = events.shutdownGracefully(0, AWAIT_TIMEOUT_NANOS, TimeUnit.NANOSECONDS);
    if (!await(ended, AWAIT_TIMEOUT_NANOS)) {
      LOG.warn("The UDP network's thread did not end in time");
    }
  }
}
