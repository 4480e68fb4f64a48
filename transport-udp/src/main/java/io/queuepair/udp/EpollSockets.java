// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.netty.channel.ChannelException;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SelectStrategy;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollDatagramChannelConfig;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.netty.channel.unix.Socket;
import io.netty.util.IntSupplier;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Linux epoll sockets: all options that RoCEv2 needs, and many datagrams for each system call. */
final class EpollSockets implements Sockets {
  private static final Logger LOG = LoggerFactory.getLogger(EpollSockets.class);

  /** Platform and library that epoll sockets need, as text for messages. */
  static final String NEEDS =
      "Linux on x86_64 or aarch64 with glibc, and the library in Netty's JAR"
          + " netty-transport-native-epoll of that processor (as a module,"
          + " io.netty.transport.epoll.linux.x86_64 or .aarch_64)";

  // Levels and numbers of <linux/in.h>, <linux/in6.h>, <linux/udp.h> and <asm-generic/socket.h>.
  private static final int SOL_UDP = 17;
  private static final int UDP_SEGMENT = 103;
  private static final IntegerUnixChannelOption IP_MTU_DISCOVER =
      new IntegerUnixChannelOption("IP_MTU_DISCOVER", 0, 10);
  private static final IntegerUnixChannelOption IPV6_MTU_DISCOVER =
      new IntegerUnixChannelOption("IPV6_MTU_DISCOVER", 41, 23);
  private static final IntegerUnixChannelOption IPV6_V6ONLY =
      new IntegerUnixChannelOption("IPV6_V6ONLY", 41, 26);
  private static final IntegerUnixChannelOption UDP_NO_CHECK6_RX =
      new IntegerUnixChannelOption("UDP_NO_CHECK6_RX", SOL_UDP, 102);
  private static final IntegerUnixChannelOption IP_MULTICAST_ALL =
      new IntegerUnixChannelOption("IP_MULTICAST_ALL", 0, 49);
  private static final IntegerUnixChannelOption IPV6_MULTICAST_ALL =
      new IntegerUnixChannelOption("IPV6_MULTICAST_ALL", 41, 29);
  private static final IntegerUnixChannelOption SO_RCVBUFFORCE =
      new IntegerUnixChannelOption("SO_RCVBUFFORCE", 1, 33);

  /** IP_PMTUDISC_DO and IPV6_PMTUDISC_DO: never fragments; identification 0 over IPv4. */
  private static final int PMTUDISC_DO = 2;

  private static final int SINGLES_PER_READ = 64;

  /** Events for each epoll_wait(): 0 lets Netty's array grow as needed. */
  private static final int DEFAULT_EVENTS = 0;

  /** The kernel's UDP_MAX_SEGMENTS; newer kernels take more. */
  private static final int MAX_SEGMENTS = 64;

  private final UdpOptions options;
  private final boolean offloads;
  private final AtomicLong reads = new AtomicLong();

  EpollSockets(UdpOptions options) {
    this.options = options;
    this.offloads =
        options.segmentationOffload() && EpollDatagramChannel.isSegmentedDatagramPacketSupported();
  }

  @Override
  public IoHandlerFactory driver() {
    boolean isBusy = options.busyPoll();
    IoHandlerFactory epoll =
        isBusy
            ? EpollIoHandler.newFactory(DEFAULT_EVENTS, () -> EpollSockets::withoutSleep)
            : EpollIoHandler.newFactory();
    return SocketsHandler.factory(epoll, handler -> new ReadingHandler(handler, reads, isBusy));
  }

  private static int withoutSleep(IntSupplier ready, boolean hasTasks) throws Exception {
    return hasTasks ? ready.get() : SelectStrategy.BUSY_WAIT;
  }

  @Override
  public DatagramChannel open(InetAddress address) {
    boolean isIpv6 = address instanceof Inet6Address;
    EpollDatagramChannel channel =
        new EpollDatagramChannel(isIpv6 ? SocketProtocolFamily.INET6 : SocketProtocolFamily.INET);
    EpollDatagramChannelConfig config = channel.config();
    if (isIpv6) {
      config.setOption(IPV6_V6ONLY, 1);
      config.setOption(IPV6_MTU_DISCOVER, PMTUDISC_DO);
      config.setOption(UDP_NO_CHECK6_RX, 1);
    } else {
      config.setOption(IP_MTU_DISCOVER, PMTUDISC_DO);
    }
    if (address.isMulticastAddress()) {
      config.setReuseAddress(true);
      config.setOption(isIpv6 ? IPV6_MULTICAST_ALL : IP_MULTICAST_ALL, 0);
    }
    config.setSendBufferSize(SEND_BUFFER_BYTES);
    sizeReceiveBuffer(config);
    memory(config).countingIn(reads).serve(channel);
    return channel;
  }

  @Override
  public DirectSend directSend(DatagramChannel socket) {
    return new DescriptorSend((Socket) ((EpollDatagramChannel) socket).fd());
  }

  private record DescriptorSend(Socket socket) implements DirectSend {
    @Override
    public void cutInto(int bytes) throws IOException {
      socket.setIntOpt(SOL_UDP, UDP_SEGMENT, bytes);
    }

    @Override
    public int sendTo(ByteBuffer bytes, int begin, int end, InetAddress address, int port)
        throws IOException {
      return socket.sendTo(bytes, begin, end, address, port);
    }
  }

  private void sizeReceiveBuffer(EpollDatagramChannelConfig config) {
    // Linux doubles the requested size, as room for its own bookkeeping: socket(7).
    config.setReceiveBufferSize(options.receiveBufferBytes());
    if (config.getReceiveBufferSize() / 2 >= options.receiveBufferBytes()) {
      return;
    }
    try {
      config.setOption(SO_RCVBUFFORCE, options.receiveBufferBytes());
    } catch (ChannelException e) {
      LOG.debug("Only the superuser may exceed net.core.rmem_max", e);
    }
  }

  private static boolean merges(EpollDatagramChannelConfig config) {
    try {
      return config.setOption(EpollChannelOption.UDP_GRO, true);
    } catch (ChannelException e) {
      LOG.debug("The kernel does not merge datagrams at arrival", e);
      return false;
    }
  }

  /**
   * Memory for reads: one read takes either what the kernel merged (UDP_GRO), or many single
   * datagrams. Not many merged ones, for which Netty 4.2.18 loses the segment size; its pull
   * request 17492 fixes that.
   */
  private ReceiveBufferPool memory(EpollDatagramChannelConfig config) {
    if (offloads && merges(config)) {
      config.setMaxDatagramPayloadSize(ReceiveBufferPool.MERGED_BYTES);
      return ReceiveBufferPool.forMerged(options.busyPoll());
    }
    config.setMaxDatagramPayloadSize(LARGEST_PACKET_BYTES);
    return ReceiveBufferPool.forSingles(SINGLES_PER_READ * LARGEST_PACKET_BYTES);
  }

  @Override
  public boolean surviveInterrupts() {
    return true;
  }

  @Override
  public int maxSegments() {
    return offloads ? MAX_SEGMENTS : 1;
  }

  @Override
  public boolean sendsKnownIdentification() {
    return true;
  }

  @Override
  public boolean acceptsNoChecksum() {
    return true;
  }
}
