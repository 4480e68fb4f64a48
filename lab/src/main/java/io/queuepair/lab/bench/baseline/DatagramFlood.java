// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench.baseline;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.unix.SegmentedDatagramPacket;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Datagrams from one socket to another as fast as they go: Netty's epoll, cut by the kernel at the
 * sender (GSO), merged at the receiver (GRO), a thread at each end. No program answers or repeats
 * what is lost.
 */
public final class DatagramFlood implements AutoCloseable {
  /** What one system call sends at most: the largest UDP payload over IPv4. */
  private static final int BURST_BYTES = 65_507;

  /** The kernel's UDP_MAX_SEGMENTS; newer kernels take more. */
  private static final int MAX_SEGMENTS = 64;

  private static final int MERGED_BYTES = 64 << 10;
  private static final int READS_AT_ONCE = 64;
  private static final int SOCKET_BUFFER_BYTES = 8 << 20;
  private static final WriteBufferWaterMark WAITING_BYTES =
      new WriteBufferWaterMark(2 * BURST_BYTES, 8 * BURST_BYTES);

  private final AtomicLong received = new AtomicLong();
  private final EventLoopGroup sending = loop("queuepair-bench-out");
  private final EventLoopGroup receiving = loop("queuepair-bench-in");
  private final int datagramBytes;
  private final boolean isChecked;
  private final Channel sender;
  private final InetSocketAddress recipient;
  private volatile boolean isOver;

  private DatagramFlood(int datagramBytes, boolean isChecked) {
    this.datagramBytes = datagramBytes;
    this.isChecked = isChecked;
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    EpollDatagramChannel in = new EpollDatagramChannel(SocketProtocolFamily.INET);
    in.config()
        .setReceiveBufferSize(SOCKET_BUFFER_BYTES)
        .setMaxDatagramPayloadSize(MERGED_BYTES)
        .setRecvByteBufAllocator(
            new FixedRecvByteBufAllocator(MERGED_BYTES).maxMessagesPerRead(READS_AT_ONCE));
    in.config().setOption(EpollChannelOption.UDP_GRO, true);
    in.pipeline().addLast(new ReceivedCounter());
    recipient = (InetSocketAddress) bound(in, receiving, any).localAddress();
    EpollDatagramChannel out = new EpollDatagramChannel(SocketProtocolFamily.INET);
    out.config().setSendBufferSize(SOCKET_BUFFER_BYTES);
    out.config().setOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WAITING_BYTES);
    out.pipeline().addLast(new FloodWriter());
    sender = bound(out, sending, any);
  }

  private static EventLoopGroup loop(String name) {
    return new MultiThreadIoEventLoopGroup(
        1, new DefaultThreadFactory(name, true), EpollIoHandler.newFactory());
  }

  private static Channel bound(
      EpollDatagramChannel channel, EventLoopGroup group, InetSocketAddress address) {
    group.register(channel).syncUninterruptibly();
    channel.bind(address).syncUninterruptibly();
    return channel;
  }

  /**
   * Sends for some time.
   *
   * @param datagramBytes bytes of each datagram, UDP payload
   * @param isChecked whether each end also copies each datagram, and computes a CRC of it
   * @param nanos how long
   * @return datagrams that arrived, in a second
   * @throws IOException if this host has no epoll
   */
  public static double datagramsPerSecond(int datagramBytes, boolean isChecked, long nanos)
      throws IOException {
    if (!Epoll.isAvailable()) {
      throw new IOException("there is no epoll on this host", Epoll.unavailabilityCause());
    }
    try (DatagramFlood flood = new DatagramFlood(datagramBytes, isChecked)) {
      return flood.measure(nanos);
    }
  }

  private double measure(long nanos) {
    sender.pipeline().fireChannelWritabilityChanged();
    do {
      await(nanos / 4);
    } while (received.get() == 0);
    long before = received.get();
    long start = System.nanoTime();
    await(nanos);
    return (received.get() - before) / ((System.nanoTime() - start) / 1e9);
  }

  private static void await(long nanos) {
    long end = System.nanoTime() + nanos;
    while (System.nanoTime() - end < 0) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }

  @Override
  public void close() {
    isOver = true;
    // Before its loop ends, so that the handler is removed and its burst released.
    sender.close().awaitUninterruptibly();
    sending.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    receiving.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  /** Writes whenever there is room. */
  private final class FloodWriter extends ChannelInboundHandlerAdapter {
    private final int segments = Math.min(MAX_SEGMENTS, BURST_BYTES / datagramBytes);
    private final ByteBuf burst = Unpooled.directBuffer(segments * datagramBytes);
    private final PacketWork work = isChecked ? new PacketWork() : null;
    private ChannelHandlerContext context;

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
      context = added;
      burst.writeZero(segments * datagramBytes);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext changed) {
      if (changed.channel().isWritable()) {
        changed.executor().execute(this::write);
      }
    }

    private void write() {
      Channel channel = context.channel();
      while (!isOver && channel.isWritable()) {
        if (work != null) {
          work.fill(burst.nioBuffer(), datagramBytes);
        }
        var message =
            new SegmentedDatagramPacket(burst.retainedDuplicate(), datagramBytes, recipient);
        // What the kernel does not take does not arrive, and is not counted.
        var unused = context.write(message, context.voidPromise());
      }
      if (!isOver) {
        context.flush();
      }
    }

    /** What still waits at the end is not sent, as what the kernel does not take. */
    @Override
    public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {}

    @Override
    public void handlerRemoved(ChannelHandlerContext removed) {
      burst.release();
    }
  }

  private final class ReceivedCounter extends ChannelInboundHandlerAdapter {
    private final PacketWork work = isChecked ? new PacketWork() : null;
    private long count;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      DatagramPacket datagram = (DatagramPacket) message;
      if (work != null) {
        work.take(datagram.content().nioBuffer());
      }
      datagram.release();
      count++;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      received.lazySet(count);
    }
  }
}
