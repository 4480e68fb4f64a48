// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench.load;

import io.queuepair.emulator.Emulator;

/** One message that goes back and forth between two queue pairs of type RC, by SEND. */
public final class SendPingPong implements Load {
  private static final int ROUNDS_BETWEEN_LOOKS = 16;

  private final DevicePair pair;
  private final PingPongPeer ours;
  private final PingPongPeer theirs;

  /** Who plays the other side; null if the same thread plays both. */
  private final PeerThread second;

  private volatile boolean isOver;

  /** How a player waits for the message. */
  public enum WaitMode {
    /**
     * It polls again and again. One thread plays both sides, as a network has a thread too; if
     * callers move the packets, there is a thread at each side.
     */
    SPINNING,
    /** It blocks on a completion channel. A thread at each side. */
    BLOCKING
  }

  private SendPingPong(BenchmarkNetwork network, int messageBytes, WaitMode waiting) {
    boolean isShared = waiting == WaitMode.SPINNING && !network.isDrivenByCallers();
    second = isShared ? null : new PeerThread();
    pair = isShared ? new DevicePair(network) : new DevicePair(network, second);
    ours = new PingPongPeer(pair, 0, messageBytes, waiting);
    theirs = new PingPongPeer(pair, 1, messageBytes, waiting);
    Emulator.connect(ours.qp(), theirs.qp());
    ours.begin();
    theirs.begin();
    if (second != null) {
      second.begin(this::echo);
    }
  }

  /**
   * Connects two devices.
   *
   * @param network between them
   * @param messageBytes bytes of the message
   * @param waiting how players wait for it
   * @return a rally that has not begun
   */
  public static SendPingPong open(BenchmarkNetwork network, int messageBytes, WaitMode waiting) {
    return new SendPingPong(network, messageBytes, waiting);
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
        if (second == null) {
          theirs.receiveUnless(() -> false);
          theirs.send();
        }
        ours.receiveUnless(() -> false);
      }
      messages += 2 * ROUNDS_BETWEEN_LOOKS;
    }
    return messages;
  }

  /**
   * How long a message takes, one way.
   *
   * @param nanos how long to play
   * @return microseconds, half of a round trip, on average
   */
  public double oneWayMicros(long nanos) {
    return 1e6 / messagesPerSecond(nanos);
  }

  @Override
  public long packets() {
    return pair.packets();
  }

  @Override
  public void close() {
    isOver = true;
    if (second != null) {
      second.awaitEnd();
    }
    pair.close();
    if (second != null) {
      second.close();
    }
  }
}
