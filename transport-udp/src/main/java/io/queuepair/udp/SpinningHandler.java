// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.queuepair.emulator.fabric.AdaptiveSpin;
import java.util.function.BooleanSupplier;

/**
 * Spins before it lets sockets put the thread to sleep, if packets are likely to come soon. After
 * it did so in vain it returns, so that the loop looks at the clock and at what else has changed;
 * then waits are not short any more, and it sleeps.
 */
final class SpinningHandler extends SocketsHandler {
  /** For a look that does not sleep. */
  static final IoHandlerContext GLANCE = new NonBlockingContext();

  private final AdaptiveSpin waits;
  private final BooleanSupplier isOver = this::isOver;

  // Of the present wait.
  private IoHandlerContext loop;
  private int found;

  SpinningHandler(IoHandler sockets, AdaptiveSpin waits) {
    super(sockets);
    this.waits = waits;
  }

  @Override
  public int run(IoHandlerContext context) {
    if (!context.canBlock()) {
      return sockets().run(context);
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
    int handled = sockets().run(context);
    waits.slept(System.nanoTime() - beganNanos);
    return handled;
  }

  private boolean isOver() {
    found = sockets().run(GLANCE);
    return found > 0 || !loop.canBlock();
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
