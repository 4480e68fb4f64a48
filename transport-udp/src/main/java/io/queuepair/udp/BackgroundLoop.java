package io.queuepair.udp;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import io.queuepair.emulator.fabric.Scheduler.Progress;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A loop with a thread of its own, which does not keep the program alive. */
final class BackgroundLoop implements Loop {
  private static final Logger LOG = LoggerFactory.getLogger(BackgroundLoop.class);

  private final EventLoopGroup group;
  private final EventLoop events;

  BackgroundLoop(IoHandlerFactory driver) {
    group =
        new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("queuepair-udp", true), driver);
    events = group.next();
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
  public boolean await(Future<?> future, long nanos) {
    return events.inEventLoop() || future.awaitUninterruptibly(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public boolean runNext(long nanos) {
    return false;
  }

  @Override
  public boolean runReady() {
    return false;
  }

  @Override
  public void close() {
    Future<?> ended = group.shutdownGracefully(0, PATIENCE_NANOS, TimeUnit.NANOSECONDS);
    if (!await(ended, PATIENCE_NANOS)) {
      LOG.warn("The UDP network's thread did not end in time");
    }
  }
}
