// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import static io.queuepair.udp.LoopbackAddresses.A;
import static io.queuepair.udp.LoopbackAddresses.B;
import static io.queuepair.udp.LoopbackAddresses.payload;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.RecvByteBufAllocator.ExtendedHandle;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.unix.SegmentedDatagramPacket;
import io.queuepair.emulator.fabric.DatagramBurst;
import io.queuepair.emulator.fabric.Scheduler.ProgressMode;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each read of a socket is one burst, of one datagram or of several that the kernel merged. */
final class ReceivedBatchTest {
  private static final InetSocketAddress TO = new InetSocketAddress(B, 4791);
  private static final InetSocketAddress FROM = new InetSocketAddress(A, 4791);

  private final List<ReadBuffer> given = new ArrayList<>();
  private final ReceivedBatch arrivals = new ReceivedBatch(B);

  @AfterEach
  void releasesEverything() {
    int reads = given.size();
    arrivals.clear();

    assertThat(given).hasSize(2 * reads);
    assertThat(arrivals.datagrams()).isZero();
    assertThat(arrivals.bursts()).isEmpty();
  }

  @Test
  void keepsMergedDatagramsInOnePiece() {
    read(240, 100);

    assertThat(arrivals.bursts()).hasSize(1);
    DatagramBurst burst = arrivals.bursts().get(0);
    assertThat(burst.segmentBytes()).isEqualTo(100);
    assertThat(burst.bytes().remaining()).isEqualTo(240);
    assertThat(burst.bytes().get(burst.bytes().position() + 200)).isEqualTo((byte) 200);
    assertThat(burst.source()).isEqualTo(A);
    assertThat(burst.sourcePort()).isEqualTo(4791);
    assertThat(arrivals.datagrams()).isEqualTo(3);
    assertThat(arrivals.totalBytes()).isEqualTo(240);
  }

  @Test
  void takesASingleDatagram() {
    read(60, 0);

    assertThat(arrivals.bursts()).extracting(DatagramBurst::segmentBytes).containsExactly(60);
    assertThat(arrivals.datagrams()).isEqualTo(1);
  }

  @Test
  void keepsReadsApart() {
    read(200, 100);
    read(40, 0);

    assertThat(arrivals.bursts()).extracting(DatagramBurst::segmentBytes).containsExactly(100, 40);
    assertThat(arrivals.bursts())
        .extracting(burst -> burst.bytes().remaining())
        .containsExactly(200, 40);
  }

  @Test
  void leavesOutDatagramsWithoutBytes() {
    read(0, 0);

    assertThat(arrivals.bursts()).isEmpty();
    assertThat(arrivals.datagrams()).isZero();
  }

  @Test
  void namesTheSenderOfEachReadIntoOneBuffer() {
    ReadBuffer buffer = new ReadBuffer(ByteBuffer.allocateDirect(1000), true, free -> {});

    buffer.reset().writerIndex(60);
    assertThat(buffer.burst(FROM, B).source()).isEqualTo(A);
    assertThat(buffer.burst(new InetSocketAddress(A, 5000), B).sourcePort()).isEqualTo(5000);
    assertThat(buffer.burst(TO, B).source()).isEqualTo(B);
    buffer.reset().writerIndex(40);
    assertThat(BurstBuffer.segments(buffer.burst(TO, B))).isEqualTo(1);
    assertThat(buffer.burst(TO, B).bytes().remaining()).isEqualTo(40);
  }

  @Test
  void takesSlicesOfOtherMemory() {
    ByteBuf memory = Unpooled.directBuffer(1000).writeZero(1000).setByte(300, 7);
    arrivals.add(new DatagramPacket(memory.retainedSlice(300, 50), TO, FROM));

    ByteBuffer bytes = arrivals.bursts().get(0).bytes();
    assertThat(bytes.remaining()).isEqualTo(50);
    assertThat(bytes.get(bytes.position())).isEqualTo((byte) 7);
    arrivals.clear();
    assertThat(memory.refCnt()).isEqualTo(1);
    memory.release();
  }

  /** Read as Netty does it: one buffer, and a slice for each datagram merged in it. */
  private void read(int bytes, int segmentBytes) {
    ReadBuffer buffer = new ReadBuffer(ByteBuffer.allocateDirect(1000), true, given::add).reset();
    given.add(buffer);
    for (int i = 0; i < bytes; i++) {
      buffer.setByte(i, i);
    }
    buffer.writerIndex(bytes);
    ByteBuf content = buffer.retainedSlice(buffer.readerIndex(), bytes);
    if (segmentBytes == 0) {
      arrivals.add(new DatagramPacket(content, TO, FROM));
    } else {
      var merged = new SegmentedDatagramPacket(content, segmentBytes, TO, FROM);
      do {
        int next = Math.min(content.readableBytes(), segmentBytes);
        arrivals.add(new DatagramPacket(content.readRetainedSlice(next), TO, FROM));
      } while (content.isReadable());
      merged.release();
    }
    buffer.release();
  }

  private static final int LITTLE = 100;
  private static final int MUCH = 60_000;

  private static ExtendedHandle round(ReceiveBufferPool memory) {
    ExtendedHandle round = memory.newHandle();
    round.reset(new EmbeddedChannel().config());
    return round;
  }

  private static boolean goesOnAfter(ExtendedHandle round, int bytes) {
    round.lastBytesRead(bytes);
    round.incMessagesRead(1);
    return round.continueReading(() -> true);
  }

  @Test
  void whoIsBusyDoesNotReadAgainAfterLittle() {
    assertThat(goesOnAfter(round(ReceiveBufferPool.forMerged(true)), LITTLE)).isFalse();
    assertThat(goesOnAfter(round(ReceiveBufferPool.forMerged(true)), MUCH)).isTrue();
  }

  @Test
  void whoSleepsReadsUntilThereIsNothing() {
    assertThat(goesOnAfter(round(ReceiveBufferPool.forMerged(false)), LITTLE)).isTrue();
    assertThat(goesOnAfter(round(ReceiveBufferPool.forSingles(8192)), LITTLE)).isTrue();
  }

  @Test
  void aRoundEndsAfterSomeReads() {
    ExtendedHandle round = round(ReceiveBufferPool.forMerged(false));

    int reads = 1;
    while (goesOnAfter(round, MUCH)) {
      reads++;
    }

    assertThat(reads).isEqualTo(4);
  }

  @Test
  void usesItsBuffersAgain() {
    ExtendedHandle round = round(ReceiveBufferPool.forMerged(false));
    ByteBuf first = round.allocate(UnpooledByteBufAllocator.DEFAULT);
    ByteBuf second = round.allocate(UnpooledByteBufAllocator.DEFAULT);
    first.writeZero(10).release();

    ByteBuf third = round.allocate(UnpooledByteBufAllocator.DEFAULT);

    assertThat(third).isSameAs(first).isNotSameAs(second);
    assertThat(third.refCnt()).isEqualTo(1);
    assertThat(third.readableBytes()).isZero();
    assertThat(third.writableBytes()).isEqualTo(ReceiveBufferPool.MERGED_BYTES);
  }

  private static final int PORT = UdpOptions.ROCE_PORT;

  private final RecordingStation station = new RecordingStation();
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final UdpOptions options = UdpOptions.defaults().withTransport(UdpOptions.Transport.NIO);
  private final Sockets sockets = Sockets.of(options);
  private final ProgressLoop loop =
      ProgressLoop.of(options.withProgress(ProgressMode.CALLER_DRIVEN), sockets);
  private final UdpContext state = new UdpContext(options, sockets, loop);

  @Test
  void refusesPeersThatSendFromAnotherPort() {
    channel.pipeline().addLast(new DatagramHandler(B, station, state, true));

    channel.writeInbound(datagram(49152, 1), datagram(PORT, 2), datagram(49152, 3));

    assertThat(station.take(1)).containsExactly(payload(30, 2));
    assertThat(state.udpStats().counters().refused()).isEqualTo(2);
    assertThat(state.udpStats().counters().datagramsIn()).isEqualTo(1);
  }

  @Test
  void acceptsEveryPortWhereTheIdentificationIsKnown() {
    channel.pipeline().addLast(new DatagramHandler(B, station, state, false));

    channel.writeInbound(datagram(49152, 1));

    assertThat(station.take(1)).containsExactly(payload(30, 1));
    assertThat(state.udpStats().counters().refused()).isZero();
  }

  @Test
  void countsWhatTheSocketReports() {
    channel.pipeline().addLast(new DatagramHandler(B, station, state, false));

    channel.pipeline().fireExceptionCaught(new SocketException("Connection refused"));
    channel.writeInbound(datagram(PORT, 4));

    assertThat(state.udpStats().counters().receiveFailures()).isEqualTo(1);
    assertThat(station.take(1)).containsExactly(payload(30, 4));
  }

  /** As the JDK closes a socket whose thread is interrupted. */
  @Test
  void releasesWhatWasReadBeforeTheSocketClosed() {
    channel
        .pipeline()
        .addLast(
            new ChannelInboundHandlerAdapter() {
              @Override
              public void channelReadComplete(ChannelHandlerContext context) {
                context.channel().unsafe().close(context.voidPromise());
                context.fireChannelReadComplete();
              }
            })
        .addLast(new DatagramHandler(B, station, state, false));
    DatagramPacket read = datagram(PORT, 5);

    channel.writeInbound(read);

    assertThat(channel.isOpen()).isFalse();
    assertThat(read.refCnt()).isZero();
    assertThat(state.udpStats().counters().datagramsIn()).isZero();
  }

  private static DatagramPacket datagram(int sourcePort, int seed) {
    return new DatagramPacket(
        Unpooled.wrappedBuffer(payload(30, seed)),
        new InetSocketAddress(B, PORT),
        new InetSocketAddress(A, sourcePort));
  }
}
