// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.AccessContext;
import io.queuepair.emulator.memory.StagedRange;
import io.queuepair.emulator.wire.Psn;
import io.queuepair.emulator.wire.Reth;
import org.jspecify.annotations.Nullable;

/** The response to one READ request, which may take many packets. */
final class ReadResponse implements ResponseQueue.Response {
  /** RETH of requests that get one empty READ response. */
  static final Reth NOTHING = new Reth(0, 0, 0);

  private final int firstPsn;
  private final Reth reth;
  private final int mtuBytes;
  private final AccessContext accessor;
  private final boolean isRepeat;
  private int sentPackets;

  /** Staged part of the memory of another process; null until staged. */
  private @Nullable StagedRange staged;

  private ReadResponse(
      int firstPsn, Reth reth, int mtuBytes, AccessContext accessor, boolean isRepeat) {
    this.firstPsn = firstPsn;
    this.reth = reth;
    this.mtuBytes = mtuBytes;
    this.accessor = accessor;
    this.isRepeat = isRepeat;
  }

  /** The response to a new request. */
  static ReadResponse to(int psn, Reth reth, int mtuBytes, AccessContext accessor) {
    return new ReadResponse(psn, reth, mtuBytes, accessor, false);
  }

  /** Response to a repeated request, answered before in whole or in part. */
  static ReadResponse again(int psn, Reth reth, int mtuBytes, AccessContext accessor) {
    return new ReadResponse(psn, reth, mtuBytes, accessor, true);
  }

  /** Protection domain and queue pair that the access is checked against. */
  AccessContext accessor() {
    return accessor;
  }

  @Override
  public ResponseQueue.ResponseKind kind() {
    return ResponseQueue.ResponseKind.READ;
  }

  @Override
  public boolean isRepeat() {
    return isRepeat;
  }

  Reth request() {
    return reth;
  }

  /** Total number of response packets, at least one. */
  int packets() {
    return (int) Math.max(1, (reth.dmaLength() + mtuBytes - 1) / mtuBytes);
  }

  int firstPsn() {
    return firstPsn;
  }

  @Override
  public int psn() {
    return firstPsn;
  }

  int lastPsn() {
    return Psn.add(firstPsn, packets() - 1);
  }

  boolean contains(int psn) {
    return Psn.distance(firstPsn, psn) < packets();
  }

  int nextPsn() {
    return Psn.add(firstPsn, sentPackets);
  }

  long nextAddr() {
    return reth.virtualAddress() + offset();
  }

  long offset() {
    return (long) sentPackets * mtuBytes;
  }

  /** Staged part of the memory of another process, created on first use. */
  StagedRange staged() {
    if (staged == null) {
      staged = new StagedRange();
    }
    return staged;
  }

  int nextBytes() {
    return (int) Math.min(mtuBytes, reth.dmaLength() - offset());
  }

  boolean isFirst() {
    return sentPackets == 0;
  }

  boolean isLast() {
    return sentPackets == packets() - 1;
  }

  void sent() {
    sentPackets++;
  }

  /** Whether a repeated request asks for a part of this one, by its PSN and address. */
  boolean covers(int psn, Reth repeatedReth) {
    int skipped = Psn.distance(firstPsn, psn);
    long skippedBytes = (long) skipped * mtuBytes;
    return contains(psn)
        && repeatedReth.rkey() == reth.rkey()
        && repeatedReth.virtualAddress() == reth.virtualAddress() + skippedBytes
        && repeatedReth.dmaLength() <= reth.dmaLength() - skippedBytes;
  }
}
