// SPDX-License-Identifier: Apache-2.0
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

/** Opens sockets on the event loop, bound to the RoCE port. */
final class BoundSockets {
  /** Bytes queued in Netty: above 8 bursts the device stops sending, below 2 it continues. */
  private static final WriteBufferWaterMark WAITING_BYTES =
      new WriteBufferWaterMark(2 * Link.BURST_BYTES, 8 * Link.BURST_BYTES);

  private static final long NO_TIME = 0;

  private BoundSockets() {}

  /**
   * Opens a socket and begins to receive.
   *
   * @param address address of the device, or a multicast group, to which other sockets may be
   *     bound, too
   * @throws FabricException if the address cannot be bound, or the loop does not do so in time
   */
  static DatagramChannel open(
      UdpContext context, InetAddress address, DatagramHandler datagramHandler) {
    DatagramChannel opened;
    try {
      opened = context.sockets().open(address);
    } catch (IOException | RuntimeException e) {
      throw BindErrors.noSocket(address, e);
    }
    opened.config().setOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WAITING_BYTES);
    opened.pipeline().addLast(datagramHandler);
    bind(context, opened, address);
    return opened;
  }

  private static void bind(UdpContext context, DatagramChannel opened, InetAddress address) {
    int port = context.options().port();
    ChannelFuture step = context.loop().events().register(opened);
    settle(context, opened, address, step);
    if (step.isSuccess()) {
      step = opened.bind(new InetSocketAddress(address, port));
      settle(context, opened, address, step);
    }
    if (!step.isSuccess()) {
      close(context, opened);
      throw BindErrors.of(address, port, step.cause());
    }
  }

  /**
   * Waits until one step of opening a socket has succeeded or failed.
   *
   * @throws FabricException if the loop does not do the step in time; it then closes the socket
   *     later
   */
  static void settle(
      UdpContext context, DatagramChannel opened, InetAddress address, ChannelFuture step) {
    context.loop().await(step, ProgressLoop.AWAIT_TIMEOUT_NANOS);
    if (!step.isDone()) {
      context.loop().await(opened.close(), NO_TIME);
      throw BindErrors.busy(address);
    }
  }

  /** Closes a socket after a later step of opening it has failed. */
  static void close(UdpContext context, DatagramChannel opened) {
    context.loop().await(opened.close(), ProgressLoop.AWAIT_TIMEOUT_NANOS);
  }
}
