// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.queuepair.emulator.fabric.AdaptiveSpin;
import java.util.function.BooleanSupplier;

/**
 * Spins before it sleeps, if packets are likely to come soon. After spinning in vain it returns, so
 * that the loop checks timers and tasks. {@link AdaptiveSpin} then no longer expects short waits,
 * and the next one sleeps.
 */
final class SpinningHandler extends SocketsHandler {
  /** Context of a poll that does not sleep. */
  static final IoHandlerContext GLANCE = new NonBlockingContext();

  private final AdaptiveSpin spin;
  private final BooleanSupplier isOver = this::isOver;

  // State of the present wait.
  private IoHandlerContext loop;
  private int found;

  SpinningHandler(IoHandler sockets, AdaptiveSpin spin) {
    super(sockets);
    this.spin = spin;
  }

  @Override
  public int run(IoHandlerContext context) {
    if (!context.canBlock()) {
      return sockets().run(context);
    }
    return spin.areWorthSpinning() ? spin(context) : sleep(context);
  }

  private int spin(IoHandlerContext context) {
    loop = context;
    spin.spin(isOver, context.delayNanos(System.nanoTime()));
    return found;
  }

  private int sleep(IoHandlerContext context) {
    long beganNanos = System.nanoTime();
    int handled = sockets().run(context);
    spin.slept(System.nanoTime() - beganNanos);
    return handled;
  }

  private boolean isOver() {
    found = sockets().run(GLANCE);
    return found > 0 || !loop.canBlock();
  }

  /** Context in which a handler must not block. */
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
