// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import io.queuepair.emulator.Emulator;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** One message that goes back and forth between two queue pairs of type RC, by SEND. */
final class SendPingPong implements Load {
  private static final int ROUNDS_BETWEEN_LOOKS = 16;

  private final DevicePair pair;
  private final PingPongPeer ours;
  private final PingPongPeer theirs;

  /** The other side's thread; null if one thread plays both. */
  private final FutureTask<Void> echo;

  private volatile boolean isOver;

  /**
   * Connects two devices; nothing is sent yet.
   *
   * @param isBlocking whether there is a thread at each side, which blocks on a completion channel;
   *     otherwise one plays both and polls again and again, as a network has a thread too
   */
  SendPingPong(BenchmarkNetwork network, int messageBytes, boolean isBlocking) {
    pair = new DevicePair(network);
    ours = new PingPongPeer(pair, 0, messageBytes, isBlocking);
    theirs = new PingPongPeer(pair, 1, messageBytes, isBlocking);
    Emulator.connect(ours.qp(), theirs.qp());
    ours.begin();
    theirs.begin();
    echo = isBlocking ? new FutureTask<>(this::echo, null) : null;
    if (echo != null) {
      new Thread(echo, "queuepair-bench-echo").start();
    }
  }

  private void echo() {
    while (theirs.receiveUnless(() -> isOver)) {
      theirs.send();
    }
  }

  @Override
  public long run(long nanos) {
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
    return messages;
  }

  @Override
  public void close() {
    isOver = true;
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
