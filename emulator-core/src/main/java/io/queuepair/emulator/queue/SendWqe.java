package io.queuepair.emulator.queue;

import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.Psn;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WrOpcode;
import java.util.List;

/** A posted send: the request as flattened at post time, and the PSNs it got once started. */
public final class SendWqe {
  private final long wrId;
  private final WrOpcode opcode;
  private final List<Sge> sges;
  private final long lengthBytes;
  private final boolean signaled;
  private final boolean solicited;
  private final boolean fenced;
  private final long remoteAddr;
  private final int rkey;
  private final int immData;

  /** Data captured at post time, or null. */
  private final Payload inlineData;

  private boolean started;
  private int firstPsn;
  private int packets;
  private int requestPsn;

  /** Why this request cannot be carried out, known before its turn to complete came; or null. */
  private WcStatus failure;

  /**
   * Flattens a request.
   *
   * @param lengthBytes bytes of all entries together
   * @param inlineData the bytes, if the request carries them inline; otherwise null
   * @param signaled whether success is reported
   */
  public SendWqe(SendWr wr, long lengthBytes, Payload inlineData, boolean signaled) {
    wrId = wr.wrId();
    opcode = wr.opcode();
    sges = List.copyOf(wr.sgList());
    this.lengthBytes = lengthBytes;
    this.inlineData = inlineData;
    this.signaled = signaled;
    solicited = wr.flags().contains(SendFlag.SOLICITED);
    fenced = wr.flags().contains(SendFlag.FENCE);
    remoteAddr = wr instanceof SendWr.RemoteAccess remote ? remote.remoteAddr() : 0;
    rkey = wr instanceof SendWr.RemoteAccess remote ? remote.rkey() : 0;
    immData = wr instanceof SendWr.WithImmediate with ? with.immData() : 0;
  }

  public long wrId() {
    return wrId;
  }

  public WrOpcode opcode() {
    return opcode;
  }

  public List<Sge> sges() {
    return sges;
  }

  public long lengthBytes() {
    return lengthBytes;
  }

  public Payload inlineData() {
    return inlineData;
  }

  public boolean isSignaled() {
    return signaled;
  }

  public boolean isSolicited() {
    return solicited;
  }

  public boolean isFenced() {
    return fenced;
  }

  public boolean isRead() {
    return opcode == WrOpcode.RDMA_READ;
  }

  public long remoteAddr() {
    return remoteAddr;
  }

  public int rkey() {
    return rkey;
  }

  public int immData() {
    return immData;
  }

  /** Gives the request its PSNs; from now on only its retransmission is possible. */
  public void start(int psn, int packetCount) {
    assert !started;
    started = true;
    firstPsn = psn;
    packets = packetCount;
  }

  public boolean isStarted() {
    return started;
  }

  public int firstPsn() {
    assert started;
    return firstPsn;
  }

  public int lastPsn() {
    assert started;
    return Psn.add(firstPsn, packets - 1);
  }

  /** Notes that a READ was asked for from this PSN on, which after a loss is not the first. */
  public void requestedFrom(int psn) {
    requestPsn = psn;
  }

  /** PSN of the READ request sent last: the response may start there. */
  public int requestPsn() {
    return requestPsn;
  }

  /** PSNs the request takes: its packets, or for a READ those of the response. */
  public int packets() {
    return packets;
  }

  /** Dooms the request: it completes with this status when all older ones have completed. */
  public void doom(WcStatus status) {
    assert failure == null;
    failure = status;
  }

  public WcStatus failure() {
    return failure;
  }
}
