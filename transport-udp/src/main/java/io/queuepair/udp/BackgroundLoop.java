package io.queuepair.udp;

import io.netty.channel.EventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.fabric.Lending;
import io.queuepair.emulator.fabric.Scheduler.Progress;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A loop with a thread of its own, which does not keep the program alive. Callers who would only
 * wait for it may run the loop meanwhile.
 */
final class BackgroundLoop implements Loop {
  private static final Logger LOG = LoggerFactory.getLogger(BackgroundLoop.class);

  private final SharedEventLoop events;

  /**
   * Makes a loop whose thread starts with the first socket.
   *
   * @param lends whether callers may run it
   */
  BackgroundLoop(IoHandlerFactory handler, boolean lends) {
    events = new SharedEventLoop(new DefaultThreadFactory("queuepair-udp", true), handler, lends);
  }

  @Override
  public EventLoop events() {
    return events;
  }

  @Override
  public Progress progress() {
    return Progress.BACKGROUND;
  }

  @Override
  public void admitOpener(String verb) {
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
  public void soon(Runnable task) {
    events.executeHere(task);
  }

  @Override
  public Lending lending() {
    return events;
  }

  @Override
  public void close() {
    Future<?> ended = events.shutdownGracefully(0, PATIENCE_NANOS, TimeUnit.NANOSECONDS);
    if (!await(ended, PATIENCE_NANOS)) {
      LOG.warn("The UDP network's thread did not end in time");
    }
  }
}
