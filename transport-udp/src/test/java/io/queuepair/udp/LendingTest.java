package io.queuepair.udp;

import static io.queuepair.udp.Loopback.A;
import static io.queuepair.udp.Loopback.B;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.Lending;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A caller runs a network in the background in place of its thread. */
@Timeout(60)
final class LendingTest {
  private static final byte[] HELLO = {1, 2, 3};

  /** What some tests would wait for if nobody woke them. */
  private static final long FOR_EVER_NANOS = TimeUnit.HOURS.toNanos(1);

  @AutoClose
  private final UdpFabric fabric = UdpFabric.open(Loopback.options(UdpOptions.Transport.EPOLL));

  private final Lending lending = fabric.scheduler().lending();
  private final RecordingStation sender = new RecordingStation();
  private final Link link = fabric.attach(A, sender);
  private final Listener listener = new Listener(lending);

  /** A device that notes which thread brings it something, and tells that somebody waits for it. */
  private static final class Listener implements Station {
    final Lending lending;
    final BlockingQueue<Thread> bringers = new LinkedBlockingQueue<>();

    Listener(Lending lending) {
      this.lending = lending;
    }

    @Override
    public void receive(List<? extends Traffic> traffic) {
      lending.tell(true);
      bringers.add(Thread.currentThread());
    }

    @Override
    public void transmit() {}
  }

  /** What arrives is told, until the network's own thread rests and this one gets the loop. */
  private void borrow() {
    while (!lending.borrow()) {
      send();
      RecordingStation.await(listener.bringers, "a datagram");
    }
    assertThat(lending.borrow()).as("borrowed twice").isFalse();
  }

  private void send() {
    sender.send(link, A, B, HELLO);
  }

  @Test
  void whoRunsTheNetworkReceivesOnItsOwnThread() {
    fabric.attach(B, listener);
    borrow();
    send();

    while (listener.bringers.isEmpty()) {
      lending.runUntil(fabric.scheduler().nowNanos() + FOR_EVER_NANOS);
    }

    assertThat(listener.bringers.remove()).isSameAs(Thread.currentThread());
    lending.giveBack();
  }

  @Test
  void itsOwnThreadGoesOnWhenTheCallerDoesSomethingElse() {
    fabric.attach(B, listener);
    borrow();
    send();

    lending.giveBack();

    assertThat(RecordingStation.await(listener.bringers, "a datagram"))
        .isNotSameAs(Thread.currentThread());
  }

  /** One of them has been woken; the other relies on it. */
  @Test
  void itsOwnThreadGoesOnWhileTwoSleep() {
    fabric.attach(B, listener);
    lending.fallAsleep();
    lending.fallAsleep();

    for (int i = 0; i < 20; i++) {
      send();
      RecordingStation.await(listener.bringers, "a datagram");
      assertThat(lending.borrow()).isFalse();
    }
  }

  /** If nobody were told, each of the turns would last a second. */
  @Test
  void whoRunsTheNetworkIsToldOfWhatOthersDid() {
    fabric.attach(B, listener);
    borrow();

    for (int i = 0; i < 100; i++) {
      CompletableFuture<Void> other = CompletableFuture.runAsync(() -> lending.tell(false));
      lending.runUntil(fabric.scheduler().nowNanos() + FOR_EVER_NANOS);
      other.join();
    }

    lending.giveBack();
  }

  @Test
  void whatOthersAskOfTheLoopIsDoneByWhoRunsIt() {
    fabric.attach(B, listener);
    borrow();
    CompletableFuture<Void> other = CompletableFuture.runAsync(this::send);

    while (listener.bringers.isEmpty()) {
      lending.runUntil(fabric.scheduler().nowNanos() + FOR_EVER_NANOS);
    }

    assertThat(listener.bringers.remove()).isSameAs(Thread.currentThread());
    lending.giveBack();
    other.join();
  }

  /** Without its own bound, a turn would last a second. */
  @Test
  void aTurnEndsAtItsTime() {
    fabric.attach(B, listener);
    borrow();

    for (int i = 0; i < 100; i++) {
      lending.runUntil(fabric.scheduler().nowNanos() + TimeUnit.MILLISECONDS.toNanos(1));
    }

    lending.giveBack();
    assertThat(listener.bringers).isEmpty();
  }

  @Test
  void whatIsPostedWhileNobodyRunsTheNetworkLeavesFromTheThreadThatPosts() {
    fabric.attach(B, listener);
    BlockingQueue<Thread> transmitters = new LinkedBlockingQueue<>();
    do {
      send();
      RecordingStation.await(listener.bringers, "a datagram");
      sender.transmit(link, () -> transmitters.add(Thread.currentThread()));
    } while (RecordingStation.await(transmitters, "a turn") != Thread.currentThread());
  }

  /** Without having been woken: nobody is told of what arrives. */
  @Test
  void whoSpinsReceivesOnItsOwnThread() {
    Listener unheard = new Listener(Lending.NONE);
    fabric.attach(B, unheard);
    do {
      send();
      while (unheard.bringers.isEmpty()) {
        fabric.scheduler().runReady();
      }
    } while (unheard.bringers.remove() != Thread.currentThread());
  }

  @Test
  void theNetworkClosesOnceTheCallerHasGivenItBack() {
    fabric.attach(B, listener);
    borrow();
    CompletableFuture<Void> closed = CompletableFuture.runAsync(fabric::close);
    while (!closed.isDone() && !isToldToEnd()) {
      lending.runUntil(fabric.scheduler().nowNanos() + FOR_EVER_NANOS);
    }

    lending.giveBack();

    closed.join();
    assertThat(lending.borrow()).isFalse();
  }

  private boolean isToldToEnd() {
    return ((SharedEventLoop) lending).isShuttingDown();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void socketsOfTheJdkAndLoopsThatSpinAreNotLent(boolean spins) {
    UdpOptions.Transport transport = spins ? UdpOptions.Transport.EPOLL : UdpOptions.Transport.NIO;
    try (UdpFabric other = UdpFabric.open(Loopback.options(transport).withBusyPoll(spins))) {
      Lending none = other.scheduler().lending();
      Listener there = new Listener(none);
      RecordingStation here = new RecordingStation();
      Link way = other.attach(A, here);
      other.attach(B, there);

      for (int i = 0; i < 20; i++) {
        here.send(way, A, B, HELLO);
        RecordingStation.await(there.bringers, "a datagram");
        assertThat(none.borrow()).isFalse();
      }
    }
  }
}
