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
  /** A few bursts may wait for the kernel; then the device holds back until most have gone. */
  private static final WriteBufferWaterMark WAITING_BYTES =
      new WriteBufferWaterMark(2 * Link.BURST_BYTES, 8 * Link.BURST_BYTES);

  private static final long NO_TIME = 0;

  private BoundSockets() {}

  /**
   * Opens a socket and begins to receive.
   *
   * @param address a device's own, or a multicast group, which other sockets may be bound to too
   * @throws FabricException if the address cannot be bound, or the loop has no time for that
   */
  static DatagramChannel open(
      UdpContext state, InetAddress address, DatagramHandler datagramHandler) {
    DatagramChannel opened;
    try {
      opened = state.sockets().open(address);
    } catch (IOException | RuntimeException e) {
      throw BindErrors.noSocket(address, e);
    }
    opened.config().setOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WAITING_BYTES);
    opened.pipeline().addLast(datagramHandler);
    bind(state, opened, address);
    return opened;
  }

  private static void bind(UdpContext state, DatagramChannel opened, InetAddress address) {
    int port = state.options().port();
    ChannelFuture step = state.loop().events().register(opened);
    settle(state, opened, address, step);
    if (step.isSuccess()) {
      step = opened.bind(new InetSocketAddress(address, port));
      settle(state, opened, address, step);
    }
    if (!step.isSuccess()) {
      close(state, opened);
      throw BindErrors.of(address, port, step.cause());
    }
  }

  /**
   * Waits until one step of opening a socket has succeeded or failed.
   *
   * @throws FabricException if the loop has no time for it; then it closes the socket when it has
   */
  static void settle(
      UdpContext state, DatagramChannel opened, InetAddress address, ChannelFuture step) {
    state.loop().await(step, ProgressLoop.AWAIT_TIMEOUT_NANOS);
    if (!step.isDone()) {
      state.loop().await(opened.close(), NO_TIME);
      throw BindErrors.busy(address);
    }
  }

  /** Gives back what failed in a later step. */
  static void close(UdpContext state, DatagramChannel opened) {
    state.loop().await(opened.close(), ProgressLoop.AWAIT_TIMEOUT_NANOS);
  }
}
