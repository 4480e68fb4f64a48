// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.socket.DatagramChannel;
import java.io.IOException;
import java.net.InetAddress;

/** Remembers what was opened last, and does something when it is used. */
final class WatchedSockets implements Sockets {
  private final Sockets real;
  private volatile DatagramChannel last;
  private volatile Runnable onOpen = () -> {};
  private volatile Runnable onQuestion = () -> {};

  WatchedSockets(Sockets real) {
    this.real = real;
  }

  DatagramChannel last() {
    return last;
  }

  /** Before a socket is opened. */
  void onOpen(Runnable action) {
    onOpen = action;
  }

  /** Before it is said what the socket cannot do, which happens when it is bound. */
  void onQuestion(Runnable action) {
    onQuestion = action;
  }

  @Override
  public boolean surviveInterrupts() {
    return real.surviveInterrupts();
  }

  @Override
  public IoHandlerFactory driver() {
    return real.driver();
  }

  @Override
  public DatagramChannel open(InetAddress address) throws IOException {
    onOpen.run();
    last = real.open(address);
    return last;
  }

  @Override
  public int maxSegments() {
    return real.maxSegments();
  }

  @Override
  public boolean sendsKnownIdentification() {
    return real.sendsKnownIdentification();
  }

  @Override
  public boolean acceptsNoChecksum() {
    onQuestion.run();
    return real.acceptsNoChecksum();
  }
}
