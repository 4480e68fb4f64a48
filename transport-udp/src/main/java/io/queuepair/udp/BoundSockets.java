package io.queuepair.udp;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.DatagramChannel;
import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.fabric.Link;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Opens sockets that are ready for use: on the event loop, bound to the port of RoCE. */
final class BoundSockets {
  /** A few bursts may wait for the kernel; then the device holds back until most have gone. */
  private static final WriteBufferWaterMark WAITING_BYTES =
      new WriteBufferWaterMark(2 * Link.BURST_BYTES, 8 * Link.BURST_BYTES);

  private BoundSockets() {}

  /**
   * Opens a socket and begins to receive.
   *
   * @param address a device's own, or a multicast group, which other sockets may be bound to too
   * @throws FabricException if the address cannot be bound
   */
  static DatagramChannel open(LoopState state, InetAddress address, Inbox inbox) {
    DatagramChannel opened;
    try {
      opened = state.sockets().open(address);
    } catch (IOException | RuntimeException e) {
      throw BindRefusal.noSocket(address, e);
    }
    opened.config().setOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WAITING_BYTES);
    opened.pipeline().addLast(inbox);
    int port = state.options().port();
    ChannelFuture registered = done(state, state.loop().events().register(opened));
    ChannelFuture bound =
        registered.isSuccess()
            ? done(state, opened.bind(new InetSocketAddress(address, port)))
            : registered;
    if (!bound.isSuccess()) {
      state.loop().await(opened.close(), Loop.PATIENCE_NANOS);
      throw BindRefusal.of(address, port, bound.cause());
    }
    return opened;
  }

  private static ChannelFuture done(LoopState state, ChannelFuture future) {
    state.loop().await(future, Loop.PATIENCE_NANOS);
    return future;
  }
}
