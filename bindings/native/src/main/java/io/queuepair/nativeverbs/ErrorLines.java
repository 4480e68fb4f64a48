// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Writes lines to the standard error of programs on its own thread, so that a program that does not
 * read delays no other. A line tells how many were left out before it.
 */
final class ErrorLines {
  private static final int MOST_WAITING = 4096;

  /** PIPE_BUF of Linux: a write to a pipe of up to so many bytes is atomic. */
  private static final int MOST_BYTES = 4096;

  private final BlockingQueue<Runnable> work = new LinkedBlockingQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final Set<Output> outputs = ConcurrentHashMap.newKeySet();
  private final ByteBuffer line = ByteBuffer.allocateDirect(MOST_BYTES);

  ErrorLines() {
    Thread writer = new Thread(this::runForever, "queuepair-lines");
    writer.setDaemon(true);
    writer.start();
  }

  /** Standard error of one program. */
  final class Output {
    private int descriptor;
    private final long file;

    /** Lines that found the queue full since the last that was queued. */
    private final AtomicInteger refused = new AtomicInteger();

    /** Lines left out since the last that was written; writer thread only. */
    private int missing;

    private Output(int descriptor) {
      this.descriptor = descriptor;
      file = Kernel.fileOf(descriptor);
    }

    void print(String text) {
      if (waiting.get() >= MOST_WAITING) {
        refused.incrementAndGet();
        return;
      }
      waiting.incrementAndGet();
      int before = refused.getAndSet(0);
      work.add(
          () -> {
            waiting.decrementAndGet();
            missing += before;
            write(text);
          });
    }

    private void write(String text) {
      if (missing > 0 && writeNow("queuepair: " + missing + " lines are left out here")) {
        missing = 0;
      }
      if (missing > 0 || !writeNow(text)) {
        missing++;
      }
    }

    private boolean writeNow(String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      int length = Math.min(bytes.length, MOST_BYTES - 1);
      line.put(0, bytes, 0, length).put(length, (byte) '\n');
      return Kernel.writeIfReady(descriptor, line, length + 1) > 0;
    }

    /** Closes the descriptor when all queued lines are written. */
    void close() {
      outputs.remove(this);
      work.add(
          () -> {
            Kernel.close(descriptor);
            descriptor = -1; // Later lines are lost.
          });
    }
  }

  /** Takes ownership of a descriptor. */
  Output open(int descriptor) {
    Output output = new Output(descriptor);
    outputs.add(output);
    return output;
  }

  /** Prints a line that concerns all programs; once if several have the same file. */
  void printToAll(String text) {
    Map<Long, Output> distinct = new LinkedHashMap<>();
    outputs.forEach(output -> distinct.putIfAbsent(output.file, output));
    distinct.values().forEach(output -> output.print(text));
  }

  /** Waits until the lines of before are written or left out, or a second is over. */
  void await() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    work.add(() -> done.complete(null));
    done.completeOnTimeout(null, 1, TimeUnit.SECONDS).join();
  }

  private void runForever() {
    try {
      while (true) {
        work.take().run();
      }
    } catch (InterruptedException never) {
      throw new IllegalStateException(never);
    }
  }
}
