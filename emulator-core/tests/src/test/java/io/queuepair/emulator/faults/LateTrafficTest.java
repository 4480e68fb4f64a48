package io.queuepair.emulator.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class LateTrafficTest {
  /** Its turns last until it is told to end them. */
  private static final class Slow implements Station {
    private final AtomicInteger turns = new AtomicInteger();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);

    @Override
    public void receive(List<? extends Traffic> traffic) {}

    @Override
    public void transmit() {
      turns.incrementAndGet();
      begun.countDown();
      try {
        end.await();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Test
  void aStationHasOneTurnAtATime() throws InterruptedException {
    Slow station = new Slow();
    try (InMemoryFabric fabric = InMemoryFabric.virtualTime()) {
      LateTraffic late = new LateTraffic(station, fabric.scheduler());
      Thread first = new Thread(late::transmit);
      first.start();
      station.begun.await();
      Thread second = new Thread(late::transmit);
      second.start();
      while (station.turns.get() == 1 && second.getState() != Thread.State.BLOCKED) {
        Thread.onSpinWait();
      }

      int turnsMeanwhile = station.turns.get();
      station.end.countDown();
      first.join();
      second.join();

      assertThat(turnsMeanwhile).isEqualTo(1);
      assertThat(station.turns).hasValue(2);
    }
  }
}
