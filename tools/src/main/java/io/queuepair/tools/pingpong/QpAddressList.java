// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.verbs.Gid;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Addresses of one side, in a fixed number of messages; unused ones are all zero. */
record QpAddressList(List<PeerAddress> used, int slots) {
  private static final PeerAddress UNUSED = new PeerAddress(0, 0, 0, new Gid(0, 0));

  byte[] toMessage() {
    ByteBuffer message = ByteBuffer.allocate(slots * PeerAddress.MESSAGE_BYTES);
    Stream.concat(used.stream(), Collections.nCopies(slots - used.size(), UNUSED).stream())
        .map(PeerAddress::toMessage)
        .forEach(message::put);
    return message.array();
  }

  /** Parses the messages of the peer, which has the same number of queue pairs. */
  QpAddressList ofPeer(byte[] message) {
    int count = countUsed(message);
    if (count != used.size()) {
      throw new CommandFailure(
          ("Couldn't use remote address: the peer has %d queue pairs, this side %d;"
                  + " give both the same -q")
              .formatted(count, used.size()));
    }
    List<PeerAddress> theirs =
        IntStream.range(0, count).mapToObj(i -> PeerAddress.ofMessage(slot(message, i))).toList();
    return new QpAddressList(theirs, slots);
  }

  /** Number of addresses; the first one counts even if it is zero. */
  private int countUsed(byte[] message) {
    byte[] unused = UNUSED.toMessage();
    int count = 1;
    while (count < slots && !Arrays.equals(slot(message, count), unused)) {
      count++;
    }
    return count;
  }

  private static byte[] slot(byte[] message, int index) {
    byte[] slot = new byte[PeerAddress.MESSAGE_BYTES];
    ByteBuffer.wrap(message).get(index * slot.length, slot);
    return slot;
  }
}
