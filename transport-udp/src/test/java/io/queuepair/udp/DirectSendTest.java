// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import static io.queuepair.udp.LoopbackAddresses.A;
import static io.queuepair.udp.LoopbackAddresses.B;
import static io.queuepair.udp.LoopbackAddresses.V6;
import static io.queuepair.udp.LoopbackAddresses.payload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.Errors;
import io.queuepair.emulator.fabric.Link;
import java.io.IOException;
import java.net.InetAddress;
import java.net.PortUnreachableException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A burst that is flushed alone needs no queue; all others leave in order. */
@Timeout(60)
final class DirectSendTest {
  // As <asm-generic/errno.h> numbers it and Netty returns it.
  private static final int ENOBUFS_NEGATIVE = -105;
  private static final int EIO_NEGATIVE = -5;

  private final RecordingStation a = new RecordingStation();
  private final RecordingStation b = new RecordingStation();
  private WatchedSockets sockets;

  @AutoClose private UdpFabric fabric;

  @BeforeAll
  static void loadsSockets() {
    assumeTrue(Epoll.isAvailable(), "no epoll here");
  }

  @BeforeEach
  void open() {
    UdpOptions options = LoopbackAddresses.options(UdpOptions.Transport.EPOLL);
    sockets = new WatchedSockets(Sockets.of(options));
    fabric = new UdpFabric(options, sockets);
  }

  /** Of {@code a}, which sends to {@code b}. */
  private Link attachBoth() {
    fabric.attach(B, b);
    return fabric.attach(A, a);
  }

  private void assertWays(int direct, int queued) {
    assertThat(sockets.directSends()).as("sent directly").isEqualTo(direct);
    assertThat(sockets.queuedSends()).as("queued").isEqualTo(queued);
  }

  @ParameterizedTest
  @MethodSource
  void aLoneDatagramLeavesWithoutTheQueue(InetAddress address) {
    Link link = fabric.attach(address, a);

    a.send(link, address, address, payload(60, 1));

    assertThat(a.takeBurst().source()).isEqualTo(address);
    assertThat(a.take(1)).containsExactly(payload(60, 1));
    assertWays(1, 0);
    assertThat(fabric.counters().datagramsOut()).isEqualTo(1);
  }

  static Stream<InetAddress> aLoneDatagramLeavesWithoutTheQueue() {
    return Stream.of(A, V6);
  }

  @Test
  void severalOfOneTurnShareASystemCall() {
    Link link = attachBoth();

    sendThree(link);

    assertThat(b.take(3)).containsExactly(payload(60, 1), payload(70, 2), payload(80, 3));
    assertWays(0, 3);
  }

  private void sendThree(Link link) {
    a.transmit(
        link,
        () -> {
          RecordingStation.sendNow(link, A, B, payload(60, 1));
          RecordingStation.sendNow(link, A, B, payload(70, 2));
          RecordingStation.sendNow(link, A, B, payload(80, 3));
        });
  }

  @Test
  void aBurstIsCutByTheKernel() {
    Link link = attachBoth();

    a.send(link, A, B, payload(60, 1), payload(60, 2));

    assertThat(b.take(2)).containsExactly(payload(60, 1), payload(60, 2));
    assertWays(1, 0);
  }

  @Test
  void nothingIsCutThatFollowsABurst() {
    Link link = attachBoth();
    a.send(link, A, B, payload(60, 1), payload(60, 2));
    afterAllTurns();
    a.send(link, A, B, payload(200, 3));
    afterAllTurns();
    a.send(link, A, B, payload(60, 4), payload(40, 5));
    afterAllTurns();

    sendThree(link);

    assertThat(b.take(5))
        .containsExactly(
            payload(60, 1), payload(60, 2), payload(200, 3), payload(60, 4), payload(40, 5));
    assertThat(b.take(3)).containsExactly(payload(60, 1), payload(70, 2), payload(80, 3));
    assertWays(3, 3);
  }

  @Test
  void afterEioOfABurstEveryDatagramIsSentByItself() {
    Link link = attachBoth();
    sockets.answerDirectSends(
        () -> {
          throw new Errors.NativeIoException("sendto", EIO_NEGATIVE);
        });

    a.send(link, A, B, payload(60, 1), payload(60, 2));
    afterAllTurns();

    assertThat(link.maxSegments()).isEqualTo(1);
    assertThat(fabric.counters().sendFailures()).isEqualTo(2);
  }

  @Test
  void whatAFullSocketDoesNotTakeIsQueued() {
    sockets.answerDirectSends(() -> 0);
    Link link = attachBoth();

    a.send(link, A, B, payload(60, 1));

    assertThat(b.take(1)).containsExactly(payload(60, 1));
    assertWays(1, 1);
    assertThat(fabric.counters().sendFailures()).isZero();
  }

  @Test
  void noDatagramOvertakesTheQueue() {
    Link link = attachBoth();
    sockets.holdQueue(true);
    sendThree(link);
    afterAllTurns();

    a.send(link, A, B, payload(90, 4));
    afterAllTurns();
    sockets.holdQueue(false);
    a.send(link, A, B, payload(100, 5));

    assertThat(b.take(5))
        .containsExactly(
            payload(60, 1), payload(70, 2), payload(80, 3), payload(90, 4), payload(100, 5));
    assertWays(0, 5);
  }

  private void afterAllTurns() {
    UdpTrafficTest.afterAllTurns(fabric.scheduler());
  }

  /** The second is what Netty makes of ECONNREFUSED. */
  @ParameterizedTest
  @MethodSource
  void whatTheKernelRefusesIsLostAlone(IOException refusal) {
    Link link = attachBoth();
    sockets.answerDirectSends(
        () -> {
          throw refusal;
        });
    a.send(link, A, B, payload(60, 1));
    afterAllTurns();
    sockets.answerDirectSends(null);

    a.send(link, A, B, payload(60, 2));

    assertThat(b.take(1)).containsExactly(payload(60, 2));
    assertThat(fabric.counters().sendFailures()).isEqualTo(1);
    assertWays(2, 0);
  }

  static Stream<IOException> whatTheKernelRefusesIsLostAlone() {
    return Stream.of(
        new Errors.NativeIoException("sendto", ENOBUFS_NEGATIVE),
        new PortUnreachableException("sendTo failed"));
  }

  /** The number of its socket may be that of another file by then. */
  @Test
  void aClosedSocketIsNotWrittenTo() {
    Link link = attachBoth();

    a.transmit(
        link,
        () -> {
          RecordingStation.sendNow(link, A, B, payload(60, 1));
          link.close();
        });
    afterAllTurns();

    assertThat(fabric.counters().sendFailures()).isEqualTo(1);
    assertThat(sockets.directSends()).isZero();
  }
}
