// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import static io.queuepair.udp.LoopbackAddresses.A;
import static io.queuepair.udp.LoopbackAddresses.B;
import static io.queuepair.udp.LoopbackAddresses.V6;
import static io.queuepair.udp.LoopbackAddresses.payload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.queuepair.emulator.fabric.DatagramBurst;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Scheduler;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Traffic that goes in at one device comes out at the other, over both kinds of sockets. */
final class UdpTrafficTest {
  private final RecordingStation a = new RecordingStation();
  private final RecordingStation b = new RecordingStation();
  private Link link;

  private UdpFabric fabric;

  @AfterEach
  void close() {
    if (fabric != null) {
      fabric.close();
    }
  }

  /** With {@code a} at A, which sends by {@code link}, and {@code b} at B. */
  private void open(UdpOptions.Transport transport) {
    fabric = UdpFabric.open(LoopbackAddresses.options(transport));
    link = fabric.attach(A, a);
    fabric.attach(B, b);
  }

  @ParameterizedTest
  @EnumSource
  void deliversOneDatagramWithItsAddresses(UdpOptions.Transport transport) {
    open(transport);
    a.send(link, A, B, payload(60, 1));

    var burst = b.takeBurst();
    assertThat(b.take(1)).containsExactly(payload(60, 1));
    assertThat(burst.source()).isEqualTo(A);
    assertThat(burst.sourcePort()).isEqualTo(fabric.sourcePort());
    assertThat(burst.destination()).isEqualTo(B);
    assertThat(burst.segmentBytes()).isEqualTo(60);
  }

  @Test
  void keepsTheBoundariesOfASegmentedBurst() {
    open(UdpOptions.Transport.EPOLL);
    byte[][] payloads = segments(15, 4128, 77);

    a.send(link, A, B, payloads);

    assertThat(b.take(16)).containsExactly(payloads);
    assertThat(b.takeBurst().segmentBytes()).isEqualTo(4128);
    assertThat(fabric.counters().burstsOut()).isEqualTo(1);
    assertThat(fabric.counters().datagramsOut()).isEqualTo(16);
    assertThat(fabric.counters().datagramsIn()).isEqualTo(16);
  }

  @Test
  void receivesBurstsCutByTheKernelWithoutOffload() {
    UdpOptions options = LoopbackAddresses.options(UdpOptions.Transport.EPOLL);
    try (UdpFabric sending = UdpFabric.open(options);
        UdpFabric receiving = UdpFabric.open(options.withSegmentationOffload(false))) {
      Link link = sending.attach(A, a);
      receiving.attach(B, b);
      byte[][] payloads = segments(63, 512, 512);

      a.send(link, A, B, payloads);

      assertThat(b.take(64)).containsExactly(payloads);
    }
  }

  @ParameterizedTest
  @EnumSource
  void deliversOverIpv6(UdpOptions.Transport transport) {
    try (UdpFabric fabric = UdpFabric.open(LoopbackAddresses.options(transport))) {
      Link own = fabric.attach(V6, a);
      byte[][] payloads = segments(Math.min(15, own.maxSegments() - 1), 4128, 77);

      a.send(own, V6, V6, payloads);

      assertThat(a.takeBurst().source()).isEqualTo(V6);
      assertThat(a.take(payloads.length)).containsExactly(payloads);
    }
  }

  @ParameterizedTest
  @EnumSource
  void reachesLinkLocalAddressesWithoutScope(UdpOptions.Transport transport)
      throws SocketException, UnknownHostException {
    Optional<InetAddress> linkLocal =
        NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .filter(address -> address instanceof Inet6Address && address.isLinkLocalAddress())
            .findFirst();
    assumeTrue(linkLocal.isPresent(), "no link-local address here");
    InetAddress bare = Inet6Address.getByAddress(null, linkLocal.get().getAddress(), 0);
    try (UdpFabric fabric = UdpFabric.open(LoopbackAddresses.options(transport))) {
      Link link = fabric.attach(bare, a);

      a.send(link, bare, bare, payload(100, 5));

      assertThat(a.takeBurst().source()).isEqualTo(bare);
    }
  }

  @Test
  void aBurstWithoutBytesGivesItsBufferBack() {
    open(UdpOptions.Transport.NIO);
    a.transmit(
        link,
        () -> {
          for (int i = 0; i < 2 * BurstPool.LIMIT; i++) {
            link.send(new DatagramBurst(A, 0, B, link.borrow().flip(), 1), null);
          }
          RecordingStation.sendNow(link, A, B, payload(30, 6));
        });

    assertThat(b.take(1)).containsExactly(payload(30, 6));
    assertThat(fabric.counters().datagramsOut()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void keepsTheOrderOfManySmallDatagrams(UdpOptions.Transport transport) {
    open(transport);
    byte[][] payloads = segments(500, 40, 40);
    AtomicInteger next = new AtomicInteger();
    AtomicInteger turns = new AtomicInteger();

    a.transmit(
        link,
        () -> {
          turns.incrementAndGet();
          while (next.get() < payloads.length && link.isWritable()) {
            RecordingStation.sendNow(link, A, B, payloads[next.getAndIncrement()]);
          }
        });

    assertThat(b.take(payloads.length)).containsExactly(payloads);
    // More than the pool holds: the station was held back, and called again.
    assertThat(turns.get()).isGreaterThan(1);
  }

  @ParameterizedTest
  @EnumSource
  void moreFailuresThanThePoolHasBuffersLeaveRoom(UdpOptions.Transport transport) {
    open(transport);
    // Broadcasts are not allowed to these sockets.
    InetAddress broadcast = LoopbackAddresses.address("255.255.255.255");
    int failures = 2 * BurstPool.LIMIT;
    AtomicInteger next = new AtomicInteger();

    a.transmit(
        link,
        () -> {
          while (next.get() <= failures && link.isWritable()) {
            InetAddress to = next.getAndIncrement() < failures ? broadcast : B;
            RecordingStation.sendNow(link, A, to, payload(64, 3));
          }
        });

    assertThat(b.take(1)).containsExactly(payload(64, 3));
    assertThat(fabric.counters().sendFailures()).isEqualTo(failures);
  }

  @ParameterizedTest
  @EnumSource
  void goesOnAfterAStationFailed(UdpOptions.Transport transport) {
    open(transport);
    CountDownLatch failed = new CountDownLatch(1);

    a.transmit(
        link,
        () -> {
          failed.countDown();
          throw new IllegalStateException("a bug in a device, made for this test");
        });
    await(failed);
    a.send(link, A, B, payload(64, 2));

    assertThat(b.take(1)).containsExactly(payload(64, 2));
  }

  @ParameterizedTest
  @EnumSource
  void gathersRingsOfOtherThreadsIntoOneTurn(UdpOptions.Transport transport) {
    open(transport);
    CountDownLatch isInTurn = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    var turns = new LinkedBlockingQueue<String>();
    a.transmit(
        link,
        () -> {
          turns.add(Thread.currentThread().getName());
          isInTurn.countDown();
          await(mayEnd);
        });
    await(isInTurn);

    for (int i = 0; i < 100; i++) {
      link.ringDoorbell();
    }
    mayEnd.countDown();
    afterAllTurns(fabric.scheduler());

    assertThat(turns).hasSize(2).allMatch(name -> name.startsWith("queuepair-udp"));
  }

  @ParameterizedTest
  @EnumSource
  void ringingWhileTransmittingAsksForAnotherTurn(UdpOptions.Transport transport) {
    open(transport);
    var order = new LinkedBlockingQueue<String>();

    a.transmit(
        link,
        () -> {
          if (order.size() < 4) {
            order.add("begin");
            link.ringDoorbell();
            order.add("end");
          }
        });

    List<String> seen = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      seen.add(RecordingStation.await(order, "turn"));
    }
    assertThat(seen).containsExactly("begin", "end", "begin", "end");
  }

  private static byte[][] segments(int full, int bytes, int lastBytes) {
    byte[][] payloads = new byte[full + 1][];
    for (int i = 0; i < full; i++) {
      payloads[i] = payload(bytes, i);
    }
    payloads[full] = payload(lastBytes, full);
    return payloads;
  }

  /** Returns when the loop has done what was queued for it before. */
  static void afterAllTurns(Scheduler scheduler) {
    var passed = new LinkedBlockingQueue<String>();
    scheduler.timer(() -> passed.add("passed")).arm(scheduler.nowNanos());
    RecordingStation.await(passed, "the loop");
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }
}
