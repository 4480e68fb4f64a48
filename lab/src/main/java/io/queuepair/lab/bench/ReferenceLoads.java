// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Loads without RDMA devices. Each returns how often it did its work. */
final class ReferenceLoads {
  /** Integers in a cache line of 64 bytes. */
  private static final int LINE_INTS = 16;

  /**
   * Cache lines of one device that a message in memory uses, by the cachegrind tool of Valgrind.
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
