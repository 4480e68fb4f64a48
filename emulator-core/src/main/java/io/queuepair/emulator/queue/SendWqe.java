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
 * A send, as it is posted: its request, what the checks made of it, and its PSNs once it has
 * started. It comes from a {@link WqePool} and goes back when it has ended.
 */
public final class SendWqe {
  private final SendRequest request = new SendRequest();
  private long lengthBytes;
  private boolean signaled;

  /** Where a datagram goes, otherwise null. */
  private @Nullable UdDestination target;

  /** Request of a BIND_MW, otherwise null. */
  private @Nullable MwBindRequest bind;

  /** Data captured at post time, or null. */
  private @Nullable Payload inlineData;

  /** Which part of memory of another process was read, and is still there. */
  private final StagedRange staged = new StagedRange();

  private boolean started;
  private int firstPsn;
  private int packets;
  private int requestPsn;

  /** How many PSNs each part of a READ has, or 0 if it was asked for in one piece. */
  private int partPackets;

  /** Where it has a slot, once it is posted, and its number there. */
  private @Nullable SendSlots slots;

  private int slotNumber;

  /** Why this request cannot be carried out, known before its turn to complete came; or null. */
  private @Nullable WorkError failure;

  /** Lets go of all that it refers to, and has not started. */
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

  /** Request of the program. */
  public SendRequest request() {
    return request;
  }

  /** Addresses a datagram. */
  public void setTarget(UdDestination newTarget) {
    target = newTarget;
  }

  /** Names what is bound. */
  public void setBind(MwBindRequest newBind) {
    bind = newBind;
  }

  /**
   * Fixes what the checks made of the request.
   *
   * @param newLengthBytes bytes of all entries together
   * @param newInlineData the bytes, if the request carries them inline; otherwise null
   * @param isSignaled whether success is reported
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

  /** The row of the operation. */
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

  /** Which part of memory of another process was read, and is still there. */
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

  /** Request of a BIND_MW. */
  public @Nullable MwBindRequest bind() {
    return bind;
  }

  /** Where a datagram goes; only for those. */
  public @Nullable UdDestination target() {
    return target;
  }

  /** Shared receive queue that an XRC request is for; only for those. */
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

  /** Notes that a READ is asked for in parts, each of which ends at a multiple of so many PSNs. */
  public void divide(int newPartPackets) {
    partPackets = newPartPackets;
  }

  /** PSN of the READ request sent last: the response may start there. */
  public int requestPsn() {
    return requestPsn;
  }

  /** Whether an answer may end with a packet: if it is the last, or that of a part. */
  public boolean mayEndAt(int psn) {
    int answered = Psn.distance(firstPsn, psn) + 1;
    return answered == packets || (partPackets > 0 && answered % partPackets == 0);
  }

  /** PSNs the request takes: its packets, for a READ those of the response, none if it is local. */
  public int packets() {
    return packets;
  }

  /** Takes its slot in a send queue. */
  public void takeSlot(SendSlots newSlots) {
    assert slots == null;
    slots = newSlots;
    slotNumber = newSlots.take(signaled);
  }

  /** Where it has a slot, once it is posted. */
  SendSlots slots() {
    return slots;
  }

  /** Number of its slot. */
  int slotNumber() {
    return slotNumber;
  }

  /** It has failed, and gives a completion also if it is not signaled. */
  public void reportFailure() {
    slots.willReport(slotNumber);
  }

  /** Frees its slot and those of all sends before it. */
  public void freeSlots() {
    slots.freeThrough(slotNumber);
  }

  /** Dooms the request: it completes so when all older ones have completed. */
  public void fail(WorkError newFailure) {
    assert failure == null;
    failure = newFailure;
  }

  public @Nullable WorkError failure() {
    return failure;
  }
}
