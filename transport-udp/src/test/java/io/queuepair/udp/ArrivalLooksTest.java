// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.util.concurrent.ThreadAwareExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sockets that always have something are looked at several times before devices send on. */
@Timeout(60)
final class ArrivalLooksTest {
  private static final int TURNS = 5;

  /** In each look something is found. */
  private static final class BusyHandler implements IoHandler {
    private int looks;

    @Override
    public int run(IoHandlerContext context) {
      looks++;
      return 1;
    }

    @Override
    public IoRegistration register(IoHandle handle) {
      throw new UnsupportedOperationException("there are no sockets");
    }

    @Override
    public void prepareToDestroy() {}

    @Override
    public void destroy() {}

    @Override
    public void wakeup() {}

    @Override
    public boolean isCompatible(Class<? extends IoHandle> type) {
      return false;
    }

    IoHandlerFactory factory() {
      return new IoHandlerFactory() {
        @Override
        public IoHandler newHandler(ThreadAwareExecutor executor) {
          return BusyHandler.this;
        }
      };
    }
  }

  private final BusyHandler sockets = new BusyHandler();
  private final List<Integer> looksAtTurns = new ArrayList<>();

  @Test
  void theThreadOfTheNetworkLooksSeveralTimes() throws InterruptedException {
    LeasableEventLoop loop = new LeasableEventLoop(Thread::new, sockets.factory(), false);
    CountDownLatch done = new CountDownLatch(TURNS + 1);
    loop.execute(
        new Runnable() {
          @Override
          public void run() {
            looksAtTurns.add(sockets.looks);
            done.countDown();
            if (done.getCount() > 0) {
              loop.execute(this);
            }
          }
        });
    done.await();
    boolean unused =
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(30, TimeUnit.SECONDS);

    for (int turn = 1; turn <= TURNS; turn++) {
      assertThat(looksAtTurns.get(turn) - looksAtTurns.get(turn - 1))
          .isEqualTo(LeasableEventLoop.MAX_LOOKS);
    }
  }

  @Test
  void aCallerThatDrivesTheNetworkLooksSeveralTimes() {
    CallerDrivenLoop loop = new CallerDrivenLoop(sockets.factory(), false);
    loop.execute(
        new Runnable() {
          @Override
          public void run() {
            loop.execute(this);
          }
        });

    for (int turn = 1; turn <= TURNS; turn++) {
      loop.runReady();
      looksAtTurns.add(sockets.looks);
    }
    loop.close();

    assertThat(looksAtTurns)
        .startsWith(LeasableEventLoop.MAX_LOOKS, 2 * LeasableEventLoop.MAX_LOOKS)
        .hasSize(TURNS);
  }
}
