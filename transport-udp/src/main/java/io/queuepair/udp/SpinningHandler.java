// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.util.concurrent.ThreadAwareExecutor;
import io.queuepair.emulator.fabric.AdaptiveSpin;
import java.util.function.BooleanSupplier;

/**
 * Spins before it lets sockets put the thread to sleep, if packets are likely to come soon. After
 * it did so in vain it returns, so that the loop looks at the clock and at what else has changed;
 * then waits are not short any more, and it sleeps.
 */
final class SpinningHandler implements IoHandler {
  private static final IoHandlerContext GLANCE = new NonBlockingContext();

  private final IoHandler sockets;
  private final AdaptiveSpin waits;
  private final BooleanSupplier isOver = this::isOver;

  // Of the present wait.
  private IoHandlerContext loop;
  private int found;

  SpinningHandler(IoHandler sockets, AdaptiveSpin waits) {
    this.sockets = sockets;
    this.waits = waits;
  }

  /**
   * Makes handlers that spin.
   *
   * @param sockets makes those that do the work
   */
  static IoHandlerFactory factory(IoHandlerFactory sockets) {
    return new IoHandlerFactory() {
      @Override
      public IoHandler newHandler(ThreadAwareExecutor executor) {
        return new SpinningHandler(sockets.newHandler(executor), new AdaptiveSpin());
      }

      @Override
      public boolean isChangingThreadSupported() {
        return sockets.isChangingThreadSupported();
      }
    };
  }

  @Override
  public int run(IoHandlerContext context) {
    if (!context.canBlock()) {
      return sockets.run(context);
    }
    return waits.areWorthSpinning() ? spin(context) : sleep(context);
  }

  private int spin(IoHandlerContext context) {
    loop = context;
    waits.spin(isOver, context.delayNanos(System.nanoTime()));
    return found;
  }

  private int sleep(IoHandlerContext context) {
    long beganNanos = System.nanoTime();
    int handled = sockets.run(context);
    waits.slept(System.nanoTime() - beganNanos);
    return handled;
  }

  private boolean isOver() {
    found = sockets.run(GLANCE);
    return found > 0 || !loop.canBlock();
  }

  @Override
  public void initialize() {
    sockets.initialize();
  }

  @Override
  public void prepareToDestroy() {
    sockets.prepareToDestroy();
  }

  @Override
  public void destroy() {
    sockets.destroy();
  }

  @Override
  public IoRegistration register(IoHandle handle) throws Exception {
    return sockets.register(handle);
  }

  @Override
  public void wakeup() {
    sockets.wakeup();
  }

  @Override
  public boolean isCompatible(Class<? extends IoHandle> handleType) {
    return sockets.isCompatible(handleType);
  }

  /** Asks for what is there, and not to wait for more. */
  private static final class NonBlockingContext implements IoHandlerContext {
    @Override
    public boolean canBlock() {
      return false;
    }

    @Override
    public long delayNanos(long currentTimeNanos) {
      return 0;
    }

    @Override
    public long deadlineNanos() {
      return -1;
    }
  }
}
