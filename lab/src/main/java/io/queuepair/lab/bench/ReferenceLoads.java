// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Loads without RDMA devices. Each returns how often it did its work. */
final class ReferenceLoads {
  /** Integers in a cache line of 64 bytes. */
  private static final int LINE_INTS = 16;

  /**
   * Cache lines of each of two devices that a WRITE misses among 1,000 devices and not among two,
   * by the tool cachegrind of Valgrind.
   */
  private static final int DEVICE_LINES = 57;

  private ReferenceLoads() {}

  /** Connects, accepts and closes TCP connections of the JDK, one after the other. */
  static long connectTcp(long nanos) throws IOException {
    long end = System.nanoTime() + nanos;
    long connections = 0;
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      while (System.nanoTime() - end < 0) {
        try (SocketChannel here = SocketChannel.open(server.getLocalAddress());
            SocketChannel accepted = server.accept()) {
          // SO_LINGER 0 resets the connection: ports in TIME_WAIT would run out.
          here.setOption(StandardSocketOptions.SO_LINGER, 0);
          accepted.setOption(StandardSocketOptions.SO_LINGER, 0);
          connections++;
        }
      }
    }
    return connections;
  }

  /** Number of blocks sent over a TCP connection of the JDK, with a thread at each end. */
  static long streamTcp(int blockBytes, long nanos) throws IOException {
    long end = System.nanoTime() + nanos;
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      SocketChannel sender = SocketChannel.open(server.getLocalAddress());
      try (sender;
          SocketChannel receiver = server.accept()) {
        FutureTask<Long> received = new FutureTask<>(() -> bytesOf(receiver, blockBytes));
        new Thread(received, "queuepair-bench-tcp").start();
        ByteBuffer block = ByteBuffer.allocateDirect(blockBytes);
        while (System.nanoTime() - end < 0) {
          block.clear();
          while (block.hasRemaining()) {
            sender.write(block);
          }
        }
        sender.shutdownOutput();
        return resultOf(received) / blockBytes;
      }
    }
  }

  private static long bytesOf(SocketChannel receiver, int blockBytes) throws IOException {
    ByteBuffer block = ByteBuffer.allocateDirect(blockBytes);
    long bytes = 0;
    int read = 0;
    while (read >= 0) {
      bytes += read;
      read = receiver.read(block.clear());
    }
    return bytes;
  }

  /**
   * Ping-pong of one datagram between two sockets of the JDK, each with its thread.
   *
   * @param isBlocking whether both threads block until the datagram arrives; otherwise they spin
   */
  static long playDatagrams(int messageBytes, boolean isBlocking, long nanos) throws IOException {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    DatagramChannel theirs = DatagramChannel.open().bind(any);
    try (theirs;
        DatagramChannel ours = DatagramChannel.open().bind(any)) {
      ours.connect(theirs.getLocalAddress()).configureBlocking(isBlocking);
      theirs.connect(ours.getLocalAddress()).configureBlocking(isBlocking);
      FutureTask<Void> echo = new FutureTask<>(() -> echo(theirs, messageBytes));
      new Thread(echo, "queuepair-bench-echo").start();
      long messages = play(ours, messageBytes, nanos);
      theirs.close();
      resultOf(echo);
      return messages;
    }
  }

  /** Waits for the other thread of a load. */
  private static <T> T resultOf(FutureTask<T> other) throws IOException {
    try {
      return other.get();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    } catch (ExecutionException broken) {
      throw new IOException("the other thread failed", broken);
    }
  }

  private static long play(DatagramChannel ours, int messageBytes, long nanos) throws IOException {
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

  private static Void echo(DatagramChannel theirs, int messageBytes) throws IOException {
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

  /** Sends a datagram to and fro between two sockets of the JDK, both on one thread. */
  static long passDatagrams(int messageBytes, long nanos) throws IOException {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    ByteBuffer message = ByteBuffer.allocateDirect(messageBytes);
    long end = System.nanoTime() + nanos;
    long messages = 0;
    try (DatagramChannel ours = DatagramChannel.open().bind(any);
        DatagramChannel theirs = DatagramChannel.open().bind(any)) {
      SocketAddress[] addresses = {ours.getLocalAddress(), theirs.getLocalAddress()};
      for (; System.nanoTime() - end < 0; messages += 2) {
        ours.send(message.clear(), addresses[1]);
        theirs.receive(message.clear());
        theirs.send(message.flip(), addresses[0]);
        ours.receive(message.clear());
      }
    }
    return messages;
  }

  /** Does the work of two loads for each message; each runs for half of the time. */
  static Load sum(Load first, Load second) {
    return nanos -> {
      long ofFirst = first.run(nanos / 2);
      long ofSecond = second.run(nanos / 2);
      return 2 * ofFirst * ofSecond / (ofFirst + ofSecond);
    };
  }

  /** Copies blocks between two buffers, which are longer than the caches of the processor. */
  static Load copies(int blockBytes, int spanBytes) {
    ByteBuffer from = ByteBuffer.allocateDirect(spanBytes);
    ByteBuffer to = ByteBuffer.allocateDirect(spanBytes);
    return nanos -> {
      long end = System.nanoTime() + nanos;
      long blocks = 0;
      while (System.nanoTime() - end < 0) {
        int offset = (int) (blocks * blockBytes % spanBytes);
        to.put(offset, from, offset, blockBytes);
        blocks++;
      }
      return blocks;
    };
  }

  /**
   * Follows a chain of cache lines: those of one of many devices and of the next one, as a message
   * between the two does. The lines are in random order, so that the processor cannot fetch them
   * ahead.
   */
  static Load chain(int devices) {
    List<Integer> lines =
        IntStream.range(0, devices * DEVICE_LINES).boxed().collect(Collectors.toList());
    Collections.shuffle(lines, new Random(1));
    int[] memory = new int[lines.size() * LINE_INTS];
    for (int i = 0; i < lines.size(); i++) {
      memory[lines.get(i) * LINE_INTS] = lines.get((i + 1) % lines.size()) * LINE_INTS;
    }
    return nanos -> {
      long end = System.nanoTime() + nanos;
      long messages = 0;
      int device = 0;
      int last = 0;
      while (System.nanoTime() - end < 0 && last >= 0) { // The chain has no negative index.
        device = follow(memory, device);
        last = follow(memory, device);
        messages++;
      }
      return messages;
    };
  }

  private static int follow(int[] memory, int first) {
    int line = first;
    for (int i = 0; i < DEVICE_LINES; i++) {
      line = memory[line];
    }
    return line;
  }
}
