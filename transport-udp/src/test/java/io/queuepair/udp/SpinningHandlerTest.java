// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.AdaptiveSpin;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SpinningHandlerTest {
  private final AtomicLong micros = new AtomicLong();

  /** Each look at the clock takes a microsecond. */
  private final AdaptiveSpin waits =
      new AdaptiveSpin(() -> TimeUnit.MICROSECONDS.toNanos(micros.incrementAndGet()), 2);

  private final FakeSockets sockets = new FakeSockets();
  private final FakeSockets.FakeLoop loop = new FakeSockets.FakeLoop();
  private final SpinningHandler handler = new SpinningHandler(sockets, waits);

  @Test
  void sleepsAtOnceWhenWaitsAreLong() {
    waits.slept(TimeUnit.SECONDS.toNanos(1));
    sockets.findAtGlance(0, 7);

    assertThat(handler.run(loop)).isEqualTo(7);
    assertThat(sockets.sleeps()).isEqualTo(1);
    assertThat(sockets.glances()).isZero();
  }

  @Test
  void looksAgainAndAgainWhenWaitsAreShort() {
    waits.slept(0);
    sockets.findAtGlance(3, 7);

    assertThat(handler.run(loop)).isEqualTo(7);
    assertThat(sockets.glances()).isEqualTo(3);
    assertThat(sockets.sleeps()).isZero();

    sockets.findAtGlance(5, 2);
    assertThat(handler.run(loop)).as("that was short, too").isEqualTo(2);
    assertThat(sockets.sleeps()).isZero();
  }

  @Test
  void returnsAfterItSpunInVainAndSleepsTheNextTime() {
    waits.slept(0);

    assertThat(handler.run(loop)).isZero();
    assertThat(sockets.glances()).isPositive();
    assertThat(sockets.sleeps()).isZero();

    int glances = sockets.glances();
    assertThat(handler.run(loop)).isZero();
    assertThat(sockets.sleeps()).isEqualTo(1);
    assertThat(sockets.glances()).isEqualTo(glances);
  }

  @Test
  void aTaskEndsTheSpinning() {
    waits.slept(0);
    loop.mayBlockFor(3);

    assertThat(handler.run(loop)).isZero();
    assertThat(sockets.glances()).as("one question was asked before them").isEqualTo(3);
  }

  @Test
  void neitherSpinsNorSleepsWhenItMayNotBlock() {
    waits.slept(0);
    loop.mayBlockFor(0);
    sockets.findAtGlance(0, 4);

    assertThat(handler.run(loop)).isEqualTo(4);
    assertThat(sockets.glances()).isEqualTo(1);
  }

  private static final int TURNS = 5;

  /** One number for each turn of sending. */
  private final List<Integer> looksBeforeTurns = new ArrayList<>();

  private int looksSeen;

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
    sockets.findAtGlance(0, 1);
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
    sockets.findAtGlance(0, 1);
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
