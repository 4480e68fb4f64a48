// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.util.concurrent.ThreadAwareExecutor;
import java.util.function.UnaryOperator;

/** A handler of sockets that does something in addition to the one of Netty that it is around. */
abstract class SocketsHandler implements IoHandler {
  private final IoHandler sockets;

  SocketsHandler(IoHandler sockets) {
    this.sockets = sockets;
  }

  /**
   * Makes such handlers.
   *
   * @param sockets makes those that do the work
   * @param around makes one of the other
   */
  static IoHandlerFactory factory(IoHandlerFactory sockets, UnaryOperator<IoHandler> around) {
    return new IoHandlerFactory() {
      @Override
      public IoHandler newHandler(ThreadAwareExecutor executor) {
        return around.apply(sockets.newHandler(executor));
      }

      @Override
      public boolean isChangingThreadSupported() {
        return sockets.isChangingThreadSupported();
      }
    };
  }

  final IoHandler sockets() {
    return sockets;
  }

  @Override
  public void initialize() {
    sockets.initialize();
  }

  @Override
  public void prepareToDestroy() {
    sockets.prepareToDestroy();
  }

  @Override
  public void destroy() {
    sockets.destroy();
  }

  @Override
  public IoRegistration register(IoHandle handle) throws Exception {
    return sockets.register(handle);
  }

  @Override
  public void wakeup() {
    sockets.wakeup();
  }

  @Override
  public boolean isCompatible(Class<? extends IoHandle> handleType) {
    return sockets.isCompatible(handleType);
  }
}
