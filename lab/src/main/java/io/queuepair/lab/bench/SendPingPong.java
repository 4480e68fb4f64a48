// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import io.queuepair.emulator.Emulator;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;

/** Ping-pong of one message by SEND between two RC queue pairs. */
final class SendPingPong implements Load {
  private static final int ROUNDS_BETWEEN_LOOKS = 16;

  private final DevicePair pair;
  private final PingPongPeer ours;
  private volatile PingPongPeer theirs;

  /** Thread of the other side; null if one thread plays both. */
  private final FutureTask<Void> echo;

  private final Semaphore turns = new Semaphore(0);

  /** Whether the other thread waits for the next turn, so that a reference has its processor. */
  private volatile boolean isPaused;

  private volatile boolean isOver;

  /**
   * Connects two devices; nothing is sent yet.
   *
   * @param isBlocking whether both sides block on a completion channel; otherwise they spin, both
   *     on one thread unless the network has a thread too
   */
  SendPingPong(BenchmarkNetwork network, int messageBytes, boolean isBlocking) {
    pair = new DevicePair(network);
    ours = new PingPongPeer(pair, 0, messageBytes, isBlocking);
    Runnable opening = () -> theirs = new PingPongPeer(pair, 1, messageBytes, isBlocking);
    if (isBlocking || network == BenchmarkNetwork.UDP_BY_CALLERS) {
      echo = new FutureTask<>(() -> echo(opening), null);
      Thread thread = new Thread(echo, "queuepair-bench-echo");
      thread.setDaemon(true); // A row that fails ends its JVM, although this thread spins.
      thread.start();
    } else {
      echo = null;
      opening.run();
    }
    while (theirs == null && !echo.isDone()) {
      Thread.onSpinWait();
    }
    if (theirs == null) {
      close(); // Throws what has ended the other thread.
    }
    Emulator.connect(ours.qp(), theirs.qp());
    ours.begin();
    theirs.begin();
  }

  private void echo(Runnable opening) {
    opening.run();
    while (!isOver) {
      turns.acquireUninterruptibly();
      while (theirs.receiveUnless(() -> isPaused)) {
        theirs.send();
      }
    }
  }

  @Override
  public long run(long nanos) {
    isPaused = false;
    turns.release();
    long end = System.nanoTime() + nanos;
    long messages = 0;
    while (System.nanoTime() - end < 0) {
      for (int i = 0; i < ROUNDS_BETWEEN_LOOKS; i++) {
        ours.send();
        if (echo == null) {
          theirs.receiveUnless(() -> false);
          theirs.send();
        }
        ours.receiveUnless(() -> echo != null && echo.isDone());
      }
      messages += 2 * ROUNDS_BETWEEN_LOOKS;
    }
    isPaused = true;
    return messages;
  }

  @Override
  public void close() {
    isOver = true;
    isPaused = true;
    turns.release();
    try {
      if (echo != null) {
        echo.get();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException failed) {
      throw new IllegalStateException("the other side failed", failed.getCause());
    } finally {
      pair.close();
    }
  }
}
