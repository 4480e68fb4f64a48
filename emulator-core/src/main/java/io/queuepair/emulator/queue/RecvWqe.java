// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

import io.queuepair.emulator.memory.SgeArray;
import io.queuepair.verbs.RecvWr;

/** A receive, as it is posted. It comes from a {@link WqePool} and goes back when it has ended. */
public final class RecvWqe {
  private final SgeArray sges = new SgeArray();
  private long wrId;
  private long lengthBytes;

  /** Takes what a record says. */
  public void set(RecvWr wr) {
    begin(wr.wrId());
    sges.set(wr.sgList());
  }

  /** Begins without entries. */
  public void begin(long newWrId) {
    wrId = newWrId;
    sges.clear();
  }

  /** Fixes the room that the entries have. */
  public void accept() {
    lengthBytes = sges.totalLength();
  }

  /** Identifier returned in the completion. */
  public long wrId() {
    return wrId;
  }

  /** Where the message goes. */
  public SgeArray sges() {
    return sges;
  }

  /** Room of all entries together. */
  public long lengthBytes() {
    return lengthBytes;
  }
}
