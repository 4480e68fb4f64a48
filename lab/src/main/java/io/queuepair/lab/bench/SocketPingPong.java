// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Ping-pong of one datagram between two sockets of the JDK, each with its thread.
 *
 * @param isBlocking whether both threads block until the datagram arrives; otherwise they spin
 */
record SocketPingPong(int messageBytes, boolean isBlocking) implements Load {
  @Override
  public long run(long nanos) throws IOException {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    DatagramChannel theirs = DatagramChannel.open().bind(any);
    try (theirs;
        DatagramChannel ours = DatagramChannel.open().bind(any)) {
      ours.connect(theirs.getLocalAddress()).configureBlocking(isBlocking);
      theirs.connect(ours.getLocalAddress()).configureBlocking(isBlocking);
      FutureTask<Void> echo = new FutureTask<>(() -> echo(theirs));
      new Thread(echo, "queuepair-bench-echo").start();
      long messages = play(ours, nanos);
      theirs.close();
      echo.get();
      return messages;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    } catch (ExecutionException broken) {
      throw new IOException("the echo ended", broken);
    }
  }

  private long play(DatagramChannel ours, long nanos) throws IOException {
    ByteBuffer message = ByteBuffer.allocateDirect(messageBytes);
    long end = System.nanoTime() + nanos;
    long messages = 0;
    while (System.nanoTime() - end < 0) {
      ours.write(message.clear());
      receive(ours, message);
      messages += 2;
    }
    return messages;
  }

  private Void echo(DatagramChannel theirs) throws IOException {
    ByteBuffer message = ByteBuffer.allocateDirect(messageBytes);
    try {
      while (true) {
        receive(theirs, message);
        theirs.write(message.flip());
      }
    } catch (ClosedChannelException over) {
      return null;
    }
  }

  private static void receive(DatagramChannel from, ByteBuffer into) throws IOException {
    into.clear();
    while (from.read(into) == 0) {
      Thread.onSpinWait();
    }
  }
}
