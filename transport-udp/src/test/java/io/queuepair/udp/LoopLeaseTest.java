// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import static io.queuepair.udp.LoopbackAddresses.A;
import static io.queuepair.udp.LoopbackAddresses.B;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.LoopLease;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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
final class LoopLeaseTest {
  private static final byte[] HELLO = {1, 2, 3};

  /** Time that some tests would wait if they were not woken. */
  private static final long FOR_EVER_NANOS = TimeUnit.HOURS.toNanos(1);

  private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Which thread takes a datagram is left to chance; the calling one does, sooner or later. */
  private static final int MOST_TRIES = 100_000;

  @AutoClose
  private final UdpFabric fabric =
      UdpFabric.open(LoopbackAddresses.options(UdpOptions.Transport.EPOLL));

  private final LoopLease lease = fabric.scheduler().lease();
  private final RecordingStation sender = new RecordingStation();
  private final Link link = fabric.attach(A, sender);
  private final Listener listener = new Listener(lease);

  /**
   * A device that notes which thread brings it something, and reports that a thread waits for it.
   */
  private static final class Listener implements Station {
    final LoopLease lease;
    final BlockingQueue<Thread> bringers = new LinkedBlockingQueue<>();

    Listener(LoopLease lease) {
      this.lease = lease;
    }

    @Override
    public void receive(List<? extends Traffic> traffic) {
      lease.notifyRunner(true);
      bringers.add(Thread.currentThread());
    }

    @Override
    public void transmit() {}
  }

  /** Arrivals are notified, until the network's own thread rests and this one gets the loop. */
  private void borrow() {
    while (!lease.tryAcquire()) {
      send();
      RecordingStation.await(listener.bringers, "a datagram");
    }
    assertThat(lease.tryAcquire()).as("borrowed twice").isFalse();
  }

  private void send() {
    sender.send(link, A, B, HELLO);
  }

  @Test
  void itsOwnThreadGoesOnWhenTheCallerDoesSomethingElse() {
    fabric.attach(B, listener);
    borrow();
    send();

    lease.release();

    assertThat(RecordingStation.await(listener.bringers, "a datagram"))
        .isNotSameAs(Thread.currentThread());
  }

  /** One of them has been woken; the other relies on it. */
  @Test
  void itsOwnThreadGoesOnWhileTwoSleep() {
    fabric.attach(B, listener);
    lease.beforeBlock();
    lease.beforeBlock();

    for (int i = 0; i < 20; i++) {
      send();
      RecordingStation.await(listener.bringers, "a datagram");
      assertThat(lease.tryAcquire()).isFalse();
    }
  }

  /** Without a notification, each of the 100 turns would last a second. */
  @Test
  void theThreadThatRunsTheLoopIsNotified() {
    fabric.attach(B, listener);
    borrow();
    long beginNanos = fabric.scheduler().nowNanos();

    for (int i = 0; i < 100; i++) {
      CompletableFuture<Void> other = CompletableFuture.runAsync(() -> lease.notifyRunner(false));
      lease.runUntil(fabric.scheduler().nowNanos() + FOR_EVER_NANOS);
      other.join();
    }

    long elapsedNanos = fabric.scheduler().nowNanos() - beginNanos;
    assertThat(elapsedNanos).isLessThan(TimeUnit.SECONDS.toNanos(50));
    lease.release();
  }

  @Test
  void whatOthersAskOfTheLoopIsDoneByWhoRunsIt() {
    fabric.attach(B, listener);
    borrow();
    CompletableFuture<Void> other = CompletableFuture.runAsync(this::send);

    while (listener.bringers.isEmpty()) {
      lease.runUntil(fabric.scheduler().nowNanos() + FOR_EVER_NANOS);
    }

    assertThat(listener.bringers.remove()).isSameAs(Thread.currentThread());
    lease.release();
    other.join();
  }

  /** Without its own bound, a turn would last a second. */
  @Test
  void aTurnEndsAtItsTime() {
    fabric.attach(B, listener);
    borrow();

    for (int i = 0; i < 100; i++) {
      lease.runUntil(fabric.scheduler().nowNanos() + TimeUnit.MILLISECONDS.toNanos(1));
    }

    lease.release();
    assertThat(listener.bringers).isEmpty();
  }

  /** The second post, too: with no poll between them it would wait for the rest of the keeper. */
  @Test
  void twoPostsLeaveFromTheirOwnThreadWhileNoThreadRunsTheLoop() {
    fabric.attach(B, listener);
    BlockingQueue<Thread> transmitters = new LinkedBlockingQueue<>();
    Set<Thread> transmittersOfTwo = Set.of();
    for (int i = 0;
        i < MOST_TRIES && !transmittersOfTwo.equals(Set.of(Thread.currentThread()));
        i++) {
      while (!lease.tryAcquire()) {
        send();
        RecordingStation.await(listener.bringers, "a datagram");
      }
      lease.runUntil(fabric.scheduler().nowNanos());
      lease.release();
      sender.transmit(link, () -> transmitters.add(Thread.currentThread()));
      Thread first = RecordingStation.await(transmitters, "a turn");
      sender.transmit(link, () -> transmitters.add(Thread.currentThread()));
      Thread second = RecordingStation.await(transmitters, "another turn");
      transmittersOfTwo = first == second ? Set.of(first) : Set.of(first, second);
    }

    assertThat(transmittersOfTwo).containsExactly(Thread.currentThread());
  }

  /** Without having been woken: there is no notification of what arrives. */
  @Test
  void whoSpinsReceivesOnItsOwnThread() {
    Listener unheard = new Listener(LoopLease.NONE);
    fabric.attach(B, unheard);
    Thread receiver = null;
    for (int i = 0; i < MOST_TRIES && receiver != Thread.currentThread(); i++) {
      send();
      while (unheard.bringers.isEmpty()) {
        fabric.scheduler().runReady();
      }
      receiver = unheard.bringers.remove();
    }

    assertThat(receiver).isSameAs(Thread.currentThread());
  }

  /** As if the process had been stopped meanwhile: an acknowledgement may be among them. */
  @Test
  void handlesAllThatHasArrivedBeforeATimerThatIsLate() {
    fabric.attach(B, listener);
    borrow();
    for (int i = 0; i < RecordingStation.MORE_THAN_ONE_LOOK; i++) {
      sender.send(link, A, A, HELLO);
    }
    List<Integer> arrived = new ArrayList<>();
    Scheduler scheduler = fabric.scheduler();

    scheduler.timer(() -> arrived.add(sender.arrived())).arm(scheduler.nowNanos() - LATE_NANOS);
    lease.runUntil(scheduler.nowNanos());

    assertThat(arrived).containsExactly(RecordingStation.MORE_THAN_ONE_LOOK);
    lease.release();
  }

  @Test
  void theNetworkClosesOnceTheCallerHasGivenItBack() {
    fabric.attach(B, listener);
    borrow();
    CompletableFuture<Void> closed = CompletableFuture.runAsync(fabric::close);
    while (!closed.isDone() && !isToldToEnd()) {
      lease.runUntil(fabric.scheduler().nowNanos() + FOR_EVER_NANOS);
    }

    lease.release();

    closed.join();
    assertThat(lease.tryAcquire()).isFalse();
  }

  private boolean isToldToEnd() {
    return ((LeasableEventLoop) lease).isShuttingDown();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void socketsOfTheJdkAndLoopsThatSpinAreNotLent(boolean spins) {
    UdpOptions.Transport transport = spins ? UdpOptions.Transport.EPOLL : UdpOptions.Transport.NIO;
    try (UdpFabric other =
        UdpFabric.open(LoopbackAddresses.options(transport).withBusyPoll(spins))) {
      LoopLease none = other.scheduler().lease();
      Listener there = new Listener(none);
      RecordingStation here = new RecordingStation();
      Link way = other.attach(A, here);
      other.attach(B, there);

      for (int i = 0; i < 20; i++) {
        here.send(way, A, B, HELLO);
        RecordingStation.await(there.bringers, "a datagram");
        assertThat(none.tryAcquire()).isFalse();
      }
    }
  }
}
