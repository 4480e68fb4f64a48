// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoEvent;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoOps;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads sockets directly while their thread does not sleep, without asking epoll first whether they
 * are readable. Epoll still reports other events, such as room in a full socket.
 */
final class ReadingHandler extends SocketsHandler {
  /** Most sockets that are read directly; with more, asking epoll costs less. */
  static final int SOCKETS = 2;

  /** One poll of this many asks epoll. */
  private static final int LOOKS_PER_EPOLL = 16;

  private static final EpollIoEvent READABLE = () -> EpollIoOps.EPOLLIN;

  private record RegisteredSocket(EpollIoHandle handle, IoRegistration registration) {
    /** Whether the socket is open; the descriptor of a closed one may be that of another file. */
    boolean isOpen() {
      return handle.fd().isOpen();
    }
  }

  private final List<RegisteredSocket> registered = new ArrayList<>();
  private final AtomicLong reads;
  private final boolean neverSleeps;
  private int looks;

  /**
   * Makes a handler.
   *
   * @param reads counts the reads of its sockets that received something
   * @param neverSleeps whether its thread polls continuously instead of sleeping
   */
  ReadingHandler(IoHandler epoll, AtomicLong reads, boolean neverSleeps) {
    super(epoll);
    this.reads = reads;
    this.neverSleeps = neverSleeps;
  }

  @Override
  public IoRegistration register(IoHandle handle) throws Exception {
    IoRegistration registration = super.register(handle);
    registered.add(new RegisteredSocket((EpollIoHandle) handle, registration));
    return registration;
  }

  @Override
  public int run(IoHandlerContext context) {
    looks++;
    forgetClosed();
    boolean isEpollsTurn = looks % LOOKS_PER_EPOLL == 0 || registered.size() > SOCKETS;
    if (isEpollsTurn || (!neverSleeps && context.canBlock())) {
      return sockets().run(context);
    }
    long before = reads.get();
    for (int i = 0; i < registered.size(); i++) {
      RegisteredSocket socket = registered.get(i);
      if (socket.isOpen()) {
        socket.handle.handle(socket.registration, READABLE);
      }
    }
    return (int) (reads.get() - before);
  }

  /** Removes closed sockets; checks one at each poll, as there may be many. */
  private void forgetClosed() {
    if (!registered.isEmpty()) {
      int next = Math.floorMod(looks, registered.size());
      if (!registered.get(next).isOpen()) {
        registered.remove(next);
      }
    }
  }
}
