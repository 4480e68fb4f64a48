// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Sends blocks over a TCP connection of the JDK as fast as possible, with a thread at each end. */
final class TcpStream implements Load {
  private final int blockBytes;

  TcpStream(int blockBytes) {
    this.blockBytes = blockBytes;
  }

  @Override
  public long run(long nanos) throws IOException {
    long end = System.nanoTime() + nanos;
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      SocketChannel sender = SocketChannel.open(server.getLocalAddress());
      try (sender;
          SocketChannel receiver = server.accept()) {
        FutureTask<Long> received = new FutureTask<>(() -> bytesOf(receiver));
        new Thread(received, "queuepair-bench-tcp").start();
        ByteBuffer block = ByteBuffer.allocateDirect(blockBytes);
        while (System.nanoTime() - end < 0) {
          block.clear();
          while (block.hasRemaining()) {
            sender.write(block);
          }
        }
        sender.shutdownOutput();
        return received.get() / blockBytes;
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", interrupted);
      } catch (ExecutionException broken) {
        throw new IOException("the receiver ended", broken);
      }
    }
  }

  private long bytesOf(SocketChannel receiver) throws IOException {
    ByteBuffer block = ByteBuffer.allocateDirect(blockBytes);
    long bytes = 0;
    int read = 0;
    while (read >= 0) {
      bytes += read;
      read = receiver.read(block.clear());
    }
    return bytes;
  }
}
