// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import static org.assertj.core.api.Assertions.assertThat;

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

  private final FakeSockets sockets = new FakeSockets();

  /** One number for each turn of sending. */
  private final List<Integer> looksBeforeTurns = new ArrayList<>();

  private int looksSeen;

  ArrivalLooksTest() {
    sockets.findAtGlance(0, 1);
  }

  private void countLooks() {
    int looks = sockets.glances() + sockets.sleeps();
    looksBeforeTurns.add(looks - looksSeen);
    looksSeen = looks;
  }

  private void assertSeveralBeforeEachTurn() {
    assertThat(ArrivalLooks.MAX_LOOKS).isGreaterThan(1);
    assertThat(looksBeforeTurns).hasSize(TURNS).containsOnly(ArrivalLooks.MAX_LOOKS);
  }

  @Test
  void theThreadOfTheNetworkLooksSeveralTimes() throws InterruptedException {
    LeasableEventLoop loop = new LeasableEventLoop(Thread::new, executor -> sockets, false);
    CountDownLatch turnsLeft = new CountDownLatch(TURNS);
    loop.execute(
        new Runnable() {
          @Override
          public void run() {
            countLooks();
            turnsLeft.countDown();
            if (turnsLeft.getCount() > 0) {
              loop.execute(this);
            }
          }
        });
    turnsLeft.await();
    boolean unused =
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(30, TimeUnit.SECONDS);

    assertSeveralBeforeEachTurn();
  }

  @Test
  void aCallerThatDrivesTheNetworkLooksSeveralTimes() {
    CallerDrivenLoop loop = new CallerDrivenLoop(executor -> sockets, false);
    loop.execute(
        new Runnable() {
          @Override
          public void run() {
            loop.execute(this);
          }
        });

    for (int turn = 1; turn <= TURNS; turn++) {
      loop.runReady();
      countLooks();
    }
    loop.close();

    assertSeveralBeforeEachTurn();
  }
}
