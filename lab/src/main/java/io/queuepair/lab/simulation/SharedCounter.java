// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import java.nio.ByteBuffer;

/** Eight bytes to which all reliable queue pairs of a peer add one at random times. */
final class SharedCounter {
  private final ByteBuffer memory;
  private final int offset;
  private final long addr;
  private long successes;
  private long undecided;

  SharedCounter(ByteBuffer memory, int offset, long addr) {
    this.memory = memory;
    this.offset = offset;
    this.addr = addr;
  }

  long addr() {
    return addr;
  }

  void posted() {
    undecided++;
  }

  void succeeded() {
    undecided--;
    successes++;
  }

  void verify() {
    long effect = memory.getLong(offset);
    Violation.unless(
        successes <= effect && effect <= successes + undecided,
        "%d additions succeeded and %d may have, but %d were made",
        successes,
        undecided,
        effect);
  }
}
