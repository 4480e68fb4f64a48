// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

import io.queuepair.emulator.memory.SgeArray;
import io.queuepair.verbs.RecvWr;

/** Posted receive. It comes from a {@link WqePool} and returns there when it has ended. */
public final class RecvWqe {
  /** Typical memory of the object, its list and its place in a queue. */
  private static final long OWN_BYTES = 80;

  private final SgeArray sges = new SgeArray();
  private long wrId;
  private long lengthBytes;

  public void set(RecvWr wr) {
    begin(wr.wrId());
    sges.set(wr.sgList());
  }

  /** Sets the wr_id and clears the entries. */
  public void begin(long newWrId) {
    wrId = newWrId;
    sges.clear();
  }

  /** Computes the total length of the entries. */
  public void accept() {
    lengthBytes = sges.totalLength();
  }

  public long wrId() {
    return wrId;
  }

  /** Memory that the message is written to. */
  public SgeArray sges() {
    return sges;
  }

  /** Estimated memory that this object takes, in bytes. */
  public long memoryBytes() {
    return OWN_BYTES + sges.memoryBytes();
  }

  /** Total bytes of the entries. */
  public long lengthBytes() {
    return lengthBytes;
  }
}
