// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench.baseline;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;

/** One datagram that goes back and forth between two sockets of the JDK, a thread at each. */
public final class SocketPingPong implements AutoCloseable {
  private static final int ROUNDS_BETWEEN_LOOKS = 16;

  private final DatagramChannel ours;
  private final DatagramChannel theirs;
  private final boolean isBlocking;
  private final Thread echo = new Thread(this::echo, "queuepair-bench-echo");
  private final ByteBuffer message;

  private SocketPingPong(int messageBytes, boolean isBlocking) throws IOException {
    this.isBlocking = isBlocking;
    message = ByteBuffer.allocateDirect(messageBytes);
    InetAddress host = InetAddress.getLoopbackAddress();
    ours = DatagramChannel.open().bind(new InetSocketAddress(host, 0));
    theirs = DatagramChannel.open().bind(new InetSocketAddress(host, 0));
    ours.connect(theirs.getLocalAddress());
    theirs.connect(ours.getLocalAddress());
    ours.configureBlocking(isBlocking);
    theirs.configureBlocking(isBlocking);
    echo.setDaemon(true);
    echo.start();
  }

  /**
   * How long a message takes, one way.
   *
   * @param messageBytes bytes of the datagram
   * @param isBlocking whether both threads sleep until it comes, rather than spin
   * @param nanos how long to play
   * @return microseconds, half of a round trip, on average
   * @throws IOException if the sockets cannot be used
   */
  public static double oneWayMicros(int messageBytes, boolean isBlocking, long nanos)
      throws IOException {
    try (SocketPingPong game = new SocketPingPong(messageBytes, isBlocking)) {
      game.play(nanos / 4);
      long start = System.nanoTime();
      long rounds = game.play(nanos);
      return (System.nanoTime() - start) / 1e3 / (2 * rounds);
    }
  }

  private long play(long nanos) throws IOException {
    long end = System.nanoTime() + nanos;
    long rounds = 0;
    while (System.nanoTime() - end < 0) {
      for (int i = 0; i < ROUNDS_BETWEEN_LOOKS; i++) {
        ours.write(message.clear());
        receive(ours, message);
      }
      rounds += ROUNDS_BETWEEN_LOOKS;
    }
    return rounds;
  }

  private void echo() {
    ByteBuffer echoed = ByteBuffer.allocateDirect(message.capacity());
    try {
      while (true) {
        receive(theirs, echoed);
        theirs.write(echoed.flip());
      }
    } catch (AsynchronousCloseException over) {
      return; // The other side closed while this one slept.
    } catch (ClosedChannelException over) {
      return; // Or while it spun.
    } catch (IOException broken) {
      throw new IllegalStateException("the echo cannot go on: " + broken.getMessage(), broken);
    }
  }

  private void receive(DatagramChannel from, ByteBuffer into) throws IOException {
    into.clear();
    while (from.read(into) == 0) {
      assert !isBlocking;
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() throws IOException {
    ours.close();
    theirs.close();
    try {
      echo.join();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
