// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import io.queuepair.tools.cli.TimeLimit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The connection of a recorded run with {@code -R}: says what one side said, and listens. */
final class RecordedLink implements ControlLink {
  private final Deque<byte[]> theirs;
  final List<byte[]> heard = new ArrayList<>();

  RecordedLink(RecordedExchange recorded, boolean isTheirsClient) {
    theirs = new ArrayDeque<>(recorded.of(isTheirsClient));
  }

  @Override
  public void send(byte[] message, String trouble) {
    heard.add(message);
  }

  @Override
  public byte[] read(int length, TimeLimit limit, String trouble) {
    byte[] message = theirs.removeFirst();
    if (message.length != length) {
      throw new AssertionError(trouble + ": " + message.length + " bytes, not " + length);
    }
    return message;
  }

  @Override
  public byte[] encode(PeerQp qp) {
    return PingpongDest.encode(qp);
  }

  @Override
  public PeerQp decode(byte[] message) {
    return PingpongDest.decode(message);
  }

  @Override
  public void finish(String trouble) {}

  boolean isOver() {
    return theirs.isEmpty();
  }
}
