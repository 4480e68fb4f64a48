// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.util.concurrent.ThreadAwareExecutor;
import java.util.function.UnaryOperator;

/** Decorator of Netty's handler of sockets. */
abstract class SocketsHandler implements IoHandler {
  private final IoHandler sockets;

  SocketsHandler(IoHandler sockets) {
    this.sockets = sockets;
  }

  /**
   * Makes a factory of decorated handlers.
   *
   * @param sockets makes the inner handlers
   * @param around decorates an inner handler
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
