// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

import io.queuepair.emulator.memory.MwBindRequest;
import io.queuepair.emulator.memory.SgeArray;
import io.queuepair.emulator.memory.StagedRange;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.Psn;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.WrOpcode;
import org.jspecify.annotations.Nullable;

/**
 * Posted send: its request, the results of the post checks, and its PSNs once started. It comes
 * from a {@link WqePool} and returns there when it has ended.
 */
public final class SendWqe {
  /** Typical memory of the object, its request and its place in a queue. */
  private static final long OWN_BYTES = 300;

  private final SendRequest request = new SendRequest();
  private long lengthBytes;
  private boolean signaled;

  /** Destination of a datagram, otherwise null. */
  private @Nullable UdDestination target;

  /** Request of a BIND_MW, otherwise null. */
  private @Nullable MwBindRequest bind;

  /** Inline data, captured at post time, or null. */
  private @Nullable Payload inlineData;

  /** Staged part of the memory of another process. */
  private final StagedRange staged = new StagedRange();

  private boolean started;
  private int firstPsn;
  private int packets;
  private int requestPsn;

  /** PSNs of each part of a READ; 0 if it was requested as a whole. */
  private int partPackets;

  /** Slots of the send queue, once the send is posted. */
  private @Nullable SendSlots slots;

  private int slotNumber;

  /** Error found before the turn of the send to complete, or null. */
  private @Nullable WorkError failure;

  /** Clears all references and the started state, for reuse. */
  void clear() {
    request.clear();
    target = null;
    bind = null;
    inlineData = null;
    staged.clear();
    started = false;
    packets = 0;
    partPackets = 0;
    slots = null;
    failure = null;
  }

  public SendRequest request() {
    return request;
  }

  public void setTarget(UdDestination newTarget) {
    target = newTarget;
  }

  public void setBind(MwBindRequest newBind) {
    bind = newBind;
  }

  /**
   * Sets the results of the post checks.
   *
   * @param newLengthBytes total bytes of all entries
   * @param newInlineData the bytes, if the request carries them inline; otherwise null
   * @param isSignaled whether success gives a completion
   */
  public void accept(long newLengthBytes, @Nullable Payload newInlineData, boolean isSignaled) {
    lengthBytes = newLengthBytes;
    inlineData = newInlineData;
    signaled = isSignaled;
  }

  public long wrId() {
    return request.wrId();
  }

  public WrOpcode opcode() {
    return request.opcode();
  }

  public SendOperation operation() {
    return request.operation();
  }

  public SgeArray sges() {
    return request.sges();
  }

  public long lengthBytes() {
    return lengthBytes;
  }

  public @Nullable Payload inlineData() {
    return inlineData;
  }

  /** Estimated memory that this object takes, in bytes. */
  public long memoryBytes() {
    int inlineBytes = inlineData == null ? 0 : inlineData.length();
    return OWN_BYTES + request.sges().memoryBytes() + inlineBytes;
  }

  public StagedRange staged() {
    return staged;
  }

  public boolean isSignaled() {
    return signaled;
  }

  public boolean isSolicited() {
    return request.has(SendFlag.SOLICITED);
  }

  public boolean isFenced() {
    return request.has(SendFlag.FENCE);
  }

  public @Nullable MwBindRequest bind() {
    return bind;
  }

  public @Nullable UdDestination target() {
    return target;
  }

  /** Number of the shared receive queue that an XRC request names. */
  public int remoteSrqn() {
    return request.remoteSrqn();
  }

  /** Address at the peer; only for operations that have one. */
  public long remoteAddr() {
    return request.remoteAddr();
  }

  /** Key of the memory at the peer; only for operations that have one. */
  public int rkey() {
    return request.rkey();
  }

  /** Assigns the PSNs, once; retransmissions keep them. */
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

  /** Notes the first PSN of the last READ request, which after a loss is not that of the send. */
  public void requestedFrom(int psn) {
    requestPsn = psn;
  }

  /** Notes that a READ is requested in parts, which end at multiples of so many PSNs. */
  public void divide(int newPartPackets) {
    partPackets = newPartPackets;
  }

  /** PSN of the READ request sent last: the response may start there. */
  public int requestPsn() {
    return requestPsn;
  }

  /** Whether a READ response may end at a PSN: the last one, or the last of a part. */
  public boolean mayEndAt(int psn) {
    int answered = Psn.distance(firstPsn, psn) + 1;
    return answered == packets || (partPackets > 0 && answered % partPackets == 0);
  }

  /** Number of PSNs: those of the packets, for a READ those of the response, none if local. */
  public int packets() {
    return packets;
  }

  public void takeSlot(SendSlots newSlots) {
    assert slots == null;
    slots = newSlots;
    slotNumber = newSlots.take(signaled);
  }

  SendSlots slots() {
    return slots;
  }

  /** Number of the send in its slots. */
  int slotNumber() {
    return slotNumber;
  }

  /** Notes that the failed send gives a completion even if unsignaled. */
  public void reportFailure() {
    slots.willReport(slotNumber);
  }

  /** Frees the slots of the send and of all sends before it. */
  public void freeSlots() {
    slots.freeThrough(slotNumber);
  }

  /** Sets the error, with which the send completes after all older sends; the first one stays. */
  public void fail(WorkError newFailure) {
    if (failure == null) {
      failure = newFailure;
    }
  }

  public @Nullable WorkError failure() {
    return failure;
  }
}
