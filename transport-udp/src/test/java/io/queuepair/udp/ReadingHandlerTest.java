// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import static io.queuepair.udp.LoopbackAddresses.A;
import static io.queuepair.udp.LoopbackAddresses.B;
import static io.queuepair.udp.LoopbackAddresses.payload;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.IoEvent;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoEvent;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.unix.FileDescriptor;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Scheduler.ProgressMode;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sockets of a thread that does not sleep are read without asking epoll. */
@Timeout(60)
final class ReadingHandlerTest {
  private static final int LOOKS = 160;

  private final AtomicLong reads = new AtomicLong();
  private final FakeSockets epoll = new FakeSockets();
  private final ReadingHandler handler = new ReadingHandler(epoll, reads, false);

  /** Has something each time it is read. */
  private final class FullSocket implements EpollIoHandle {
    private final FileDescriptor fd;
    private int readCount;

    FullSocket() throws IOException {
      fd = FileDescriptor.from("/dev/null");
    }

    @Override
    public void handle(IoRegistration registration, IoEvent event) {
      assertThat(((EpollIoEvent) event).ops()).isEqualTo(EpollIoOps.EPOLLIN);
      readCount++;
      reads.incrementAndGet();
    }

    @Override
    public FileDescriptor fd() {
      return fd;
    }

    @Override
    public void close() throws IOException {
      fd.close();
    }
  }

  private int look() {
    int found = 0;
    for (int i = 0; i < LOOKS; i++) {
      found += handler.run(SpinningHandler.GLANCE);
    }
    return found;
  }

  @Test
  void fewSocketsAreReadAndEpollIsAskedNowAndThen() throws Exception {
    FullSocket one = new FullSocket();
    FullSocket other = new FullSocket();
    handler.register(one);
    handler.register(other);

    int found = look();

    assertThat(epoll.glances()).isBetween(1, LOOKS / 10);
    assertThat(one.readCount).isEqualTo(LOOKS - epoll.glances()).isEqualTo(other.readCount);
    assertThat(found).isEqualTo(2 * one.readCount);
  }

  @Test
  void epollIsAskedForManySockets() throws Exception {
    FullSocket[] sockets = new FullSocket[ReadingHandler.SOCKETS + 1];
    for (int i = 0; i < sockets.length; i++) {
      sockets[i] = new FullSocket();
      handler.register(sockets[i]);
    }

    assertThat(look()).isZero();
    assertThat(epoll.glances()).isEqualTo(LOOKS);

    sockets[0].close();
    assertThat(look()).isPositive();
    assertThat(sockets[0].readCount).isZero();
  }

  @Test
  void aThreadThatMaySleepAsksEpoll() throws Exception {
    handler.register(new FullSocket());

    assertThat(handler.run(new FakeSockets.FakeLoop())).isZero();
    assertThat(epoll.sleeps()).isEqualTo(1);
    assertThat(epoll.glances()).isZero();
  }

  // Sockets of the kernel, read by the thread of the test.

  private static final IntegerUnixChannelOption IP_RECVERR =
      new IntegerUnixChannelOption("IP_RECVERR", 0, 11);

  private static final InetAddress UNUSED = LoopbackAddresses.address("127.0.0.52");

  private final RecordingStation a = new RecordingStation();
  private final RecordingStation b = new RecordingStation();
  private UdpOptions options;

  @BeforeEach
  void chooseOptions() {
    options =
        LoopbackAddresses.options(UdpOptions.Transport.EPOLL)
            .withProgress(ProgressMode.CALLER_DRIVEN)
            .withBusyPoll(true);
  }

  private static void spinUntilDatagrams(UdpFabric fabric, long count) {
    while (fabric.counters().datagramsIn() < count) {
      fabric.scheduler().runReady();
    }
  }

  /** More than are read directly, fewer, more again. */
  @Test
  void socketsMayComeAndGo() {
    try (UdpFabric fabric = UdpFabric.open(options)) {
      Link link = fabric.attach(A, a);
      long arrived = 0;
      for (int round = 1; round <= 2; round++) {
        Link third = fabric.attach(UNUSED, new RecordingStation());
        Link other = fabric.attach(B, b);
        a.send(link, A, B, payload(60, round));
        spinUntilDatagrams(fabric, ++arrived);
        third.close();
        a.send(link, A, B, payload(70, round), payload(70, round), payload(50, round));
        spinUntilDatagrams(fabric, arrived += 3);
        other.close();
      }

      assertThat(b.take(8))
          .contains(payload(60, 1), payload(50, 1), payload(60, 2), payload(50, 2));
    }
  }

  /** Of sockets that are not connected the kernel keeps it to itself, unless it is asked. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anIcmpErrorEndsNothing(boolean isTold) {
    WatchedSockets sockets = new WatchedSockets(Sockets.of(options));
    try (UdpFabric fabric = new UdpFabric(options, sockets)) {
      fabric.attach(B, b);
      Link link = fabric.attach(A, a);
      ((EpollDatagramChannel) sockets.last()).config().setOption(IP_RECVERR, isTold ? 1 : 0);

      a.send(link, A, UNUSED, payload(60, 1));
      for (int i = 0; i < LOOKS; i++) {
        fabric.scheduler().runReady();
      }
      a.send(link, A, B, payload(60, 2));
      spinUntilDatagrams(fabric, 1);

      assertThat(b.take(1)).containsExactly(payload(60, 2));
      assertThat(fabric.counters().receiveFailures()).isEqualTo(isTold ? 1 : 0);
      assertThat(fabric.counters().sendFailures()).isZero();
    }
  }

  /** By recvmsg(2) the excess bytes of a datagram that is too long are discarded. */
  @Test
  void whatIsTooLongForAnyPacketIsCut() throws IOException {
    options = options.withSegmentationOffload(false);
    try (UdpFabric fabric = UdpFabric.open(options);
        DatagramSocket stranger = new DatagramSocket(new InetSocketAddress(B, 0))) {
      fabric.attach(A, a);
      for (int length : new int[] {20_000, 50}) {
        stranger.send(new DatagramPacket(payload(length, 1), length, A, options.port()));
      }
      spinUntilDatagrams(fabric, 2);

      assertThat(a.take(2))
          .containsExactly(payload(Sockets.LARGEST_PACKET_BYTES, 1), payload(50, 1));
    }
  }

  @Test
  void anotherThreadClosesSocketsThatAreBeingRead() {
    UdpFabric fabric = UdpFabric.open(options);
    fabric.attach(A, a);
    CompletableFuture<Void> closed = CompletableFuture.runAsync(fabric::close);

    boolean goesOn = true;
    while (goesOn) {
      goesOn = fabric.scheduler().runNext();
    }

    closed.join();
  }
}
