// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import static io.queuepair.udp.LoopbackAddresses.A;
import static io.queuepair.udp.LoopbackAddresses.B;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.LostPackets;
import io.queuepair.emulator.fabric.ResponderResources;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.fabric.Scheduler.ProgressMode;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A device that always has something to send does not keep the network from what else there is: its
 * turns are short, and arrivals and timers are looked at between two of them.
 */
@Timeout(60)
final class DeviceExecutorTest {
  /** A test is over after so many turns at the latest. */
  private static final int MANY_TURNS = 1_000;

  /** The thread that posts has the first turn; another may pass until the network's looks. */
  private static final int SOON = 4;

  /** One is enough for what is not in use, unless something else holds it for a moment. */
  private static final int MANY_COLLECTIONS = 20;

  private final EndlessSender sender = new EndlessSender();

  /** Sends as long as it may, until what it waits for has happened. */
  private static final class EndlessSender implements Station {
    private final CountDownLatch isDone = new CountDownLatch(1);
    private byte[] datagram = new byte[100];
    private Runnable firstAct = () -> {};
    private int datagramsPerBurst = 1;

    /** Action before each burst. */
    private Runnable preparation = () -> {};

    private Link link;
    private int turns;
    private int longestTurn;
    private int turnsWhenDone;

    @Override
    public void receive(List<? extends Traffic> traffic) {}

    @Override
    public void transmit() {
      if (turns == 0) {
        firstAct.run();
      }
      int bursts = 0;
      while (isDone.getCount() > 0 && turns < MANY_TURNS && link.isWritable()) {
        preparation.run();
        RecordingStation.sendNow(
            link, A, B, Collections.nCopies(datagramsPerBurst, datagram).toArray(byte[][]::new));
        bursts++;
      }
      turns++;
      longestTurn = Math.max(longestTurn, bursts);
      if (turns == MANY_TURNS) {
        isDone.countDown();
      }
    }

    /** Called by the thread that runs the network, as {@link #transmit} is. */
    void happened() {
      if (isDone.getCount() > 0) {
        turnsWhenDone = turns;
        isDone.countDown();
      }
    }
  }

  /** Notes the first arrival. */
  private final class FirstArrival implements Station {
    @Override
    public void receive(List<? extends Traffic> traffic) {
      sender.happened();
    }

    @Override
    public void transmit() {}
  }

  private static UdpFabric open(UdpOptions.Transport transport, ProgressMode progress) {
    return UdpFabric.open(LoopbackAddresses.options(transport).withProgress(progress));
  }

  private void send(UdpFabric fabric) {
    sender.link = fabric.attach(A, sender);
    sender.link.ringDoorbell();
    await(fabric.scheduler());
  }

  private void await(Scheduler scheduler) {
    try {
      while (!sender.isDone.await(0, TimeUnit.NANOSECONDS)) {
        if (scheduler.progressMode() == ProgressMode.CALLER_DRIVEN) {
          scheduler.runReady();
        } else {
          sender.isDone.await();
        }
      }
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aTurnTakesSomeBurstsAndIsFollowedByAnother(UdpOptions.Transport transport) {
    try (UdpFabric fabric = open(transport, ProgressMode.BACKGROUND)) {
      send(fabric);

      assertThat(sender.longestTurn).isEqualTo(DeviceExecutor.BURSTS);
      assertThat(sender.turns).isGreaterThanOrEqualTo(MANY_TURNS);
    }
  }

  /** With a device of its own, and a clock of the test. */
  private void send(LongSupplier nanoTime) {
    UdpOptions options = LoopbackAddresses.options(UdpOptions.Transport.EPOLL);
    Sockets sockets = Sockets.of(options);
    ProgressLoop loop = ProgressLoop.of(options.withProgress(ProgressMode.CALLER_DRIVEN), sockets);
    UdpContext context =
        new UdpContext(
            options,
            sockets,
            loop,
            new CloseGate(),
            new DeviceExecutor(loop, nanoTime),
            new BurstPool(),
            new UdpStats(),
            new SendErrorLog(),
            new LostPackets(),
            new ResponderResources());
    try (UdpLink link = new UdpLink(A, sender, context, () -> {})) {
      sender.link = link;
      link.ringDoorbell();
      while (sender.isDone.getCount() > 0) {
        loop.runReady();
      }
    } finally {
      loop.close();
    }
  }

  /** Small datagrams fill a burst, and several bursts a turn, unless that takes long. */
  @ParameterizedTest
  @CsvSource({"64, 100, 0, 4", "64, 100, 100000, 1", "12, 4096, 0, 4"})
  void aTurnEndsAfterItsDatagramsOrBytesOrTime(
      int datagrams, int bytes, long stepNanos, int longestTurn) {
    sender.datagramsPerBurst = datagrams;
    sender.datagram = new byte[bytes];
    AtomicLong nowNanos = new AtomicLong();

    send(() -> nowNanos.addAndGet(stepNanos));

    assertThat(sender.longestTurn).isEqualTo(longestTurn);
  }

  /** Or each would stay in memory as long as the network. */
  @ParameterizedTest
  @EnumSource
  void aDeviceThatIsDetachedWhileItWaitsForRoomOrAfterItSentIsForgotten(
      UdpOptions.Transport transport) {
    try (UdpFabric fabric = open(transport, ProgressMode.CALLER_DRIVEN)) {
      assertIsForgotten(detachedWhileItWaits(fabric));
    }
    try (UdpFabric fabric = open(transport, ProgressMode.CALLER_DRIVEN)) {
      assertIsForgotten(detachedAfterItSent(fabric));
    }
  }

  private static void assertIsForgotten(WeakReference<Station> detached) {
    for (int i = 0; i < MANY_COLLECTIONS && detached.get() != null; i++) {
      System.gc();
    }
    assertThat(detached.get()).isNull();
  }

  private static WeakReference<Station> detachedWhileItWaits(UdpFabric fabric) {
    RecordingStation station = new RecordingStation();
    try (Link waiting = fabric.attach(A, station);
        Link other = fabric.attach(B, new RecordingStation())) {
      for (int i = 0; i < BurstPool.LIMIT; i++) {
        other.borrow();
      }
      assertThat(waiting.isWritable()).isFalse();
    }
    return new WeakReference<>(station);
  }

  private static WeakReference<Station> detachedAfterItSent(UdpFabric fabric) {
    RecordingStation station = new RecordingStation();
    try (Link link = fabric.attach(A, station)) {
      station.send(link, A, A, new byte[64]);
      fabric.scheduler().runReady();
      assertThat(fabric.counters().datagramsOut()).isEqualTo(1);
    }
    return new WeakReference<>(station);
  }

  @ParameterizedTest
  @CsvSource({"EPOLL, BACKGROUND", "NIO, BACKGROUND", "EPOLL, CALLER_DRIVEN", "NIO, CALLER_DRIVEN"})
  void arrivalsAreTakenBetweenTurns(UdpOptions.Transport transport, ProgressMode progress) {
    try (UdpFabric fabric = open(transport, progress)) {
      fabric.attach(B, new FirstArrival());

      send(fabric);

      assertThat(sender.turnsWhenDone).isBetween(1, SOON);
    }
  }

  @ParameterizedTest
  @EnumSource
  void timersFireBetweenTurns(UdpOptions.Transport transport) {
    try (UdpFabric fabric = open(transport, ProgressMode.BACKGROUND)) {
      Scheduler scheduler = fabric.scheduler();
      Scheduler.Timer timer = scheduler.timer(sender::happened);
      sender.firstAct = () -> timer.arm(scheduler.nowNanos());

      send(fabric);

      assertThat(sender.turnsWhenDone).isBetween(1, SOON);
    }
  }

  /** Sends itself datagrams, a new one for each that arrives: so there always is one to take. */
  private final class EchoStation implements Station {
    private static final int DATAGRAMS = 8;

    /** So many that the other device would have had its turns. */
    private static final int MOST = 50_000;

    private Link link;
    private int received;
    private int toSend = DATAGRAMS;

    @Override
    public void receive(List<? extends Traffic> traffic) {
      received += traffic.size();
      if (received >= MOST || sender.turns > SOON) {
        sender.happened();
      }
      if (received < MOST) {
        toSend = DATAGRAMS;
        link.ringDoorbell();
      }
    }

    @Override
    public void transmit() {
      for (; toSend > 0 && link.isWritable(); toSend--) {
        RecordingStation.sendNow(link, B, B, new byte[1]);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"EPOLL, BACKGROUND", "NIO, BACKGROUND", "EPOLL, CALLER_DRIVEN", "NIO, CALLER_DRIVEN"})
  void turnsComeWhileDatagramsKeepArriving(UdpOptions.Transport transport, ProgressMode progress) {
    EchoStation echo = new EchoStation();
    try (UdpFabric fabric = open(transport, progress)) {
      echo.link = fabric.attach(B, echo);

      send(fabric);

      assertThat(sender.turnsWhenDone).isGreaterThan(SOON);
      assertThat(echo.received).isLessThan(EchoStation.MOST);
    }
  }
}
