package io.queuepair.udp;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.socket.DatagramChannel;
import java.io.IOException;
import java.net.InetAddress;

/** Remembers what was opened last. For one thread. */
final class WatchedSockets implements Sockets {
  private final Sockets real;
  private DatagramChannel last;

  WatchedSockets(Sockets real) {
    this.real = real;
  }

  DatagramChannel last() {
    return last;
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
    return real.acceptsNoChecksum();
  }
}
