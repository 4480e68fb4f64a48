// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import static io.queuepair.udp.LoopbackAddresses.A;
import static io.queuepair.udp.LoopbackAddresses.B;
import static io.queuepair.udp.LoopbackAddresses.payload;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.DatagramPacket;
import io.queuepair.emulator.fabric.Scheduler.ProgressMode;
import java.net.InetSocketAddress;
import java.net.SocketException;
import org.junit.jupiter.api.Test;

/** What a socket without a known identification does with strangers. */
final class DatagramHandlerTest {
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
