// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

import io.queuepair.verbs.WcFlag;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reusable completion: the fields of {@code struct ibv_wc} and those of extended queues. */
public final class Cqe {
  private static final Set<WcFlag> NO_FLAGS = WcFlag.setOf();

  private long wrId;
  private WcStatus status = WcStatus.SUCCESS;
  private WcOpcode opcode = WcOpcode.SEND;
  private int byteLen;
  private int immData;
  private int qpNum;
  private int srcQp;
  private Set<WcFlag> wcFlags = NO_FLAGS;
  private @Nullable String explanation;

  /** Time at which the entry was added, in nanoseconds. */
  private long nanos;

  /** VLAN tag that was removed from the frame, or 0. */
  private int cvlan;

  private int sl;

  /** Slots of the send queue that the completed send belongs to; null for a receive. */
  private @Nullable SendSlots slots;

  private int slotNumber;

  /** Whether the entry was removed and only takes up room in a buffer that a program polls. */
  private boolean isRemoved;

  /** Sets the fields of every completion and clears all others. */
  public Cqe begin(long newWrId, WcStatus newStatus, WcOpcode newOpcode, int newQpNum) {
    wrId = newWrId;
    status = newStatus;
    opcode = newOpcode;
    qpNum = newQpNum;
    byteLen = 0;
    immData = 0;
    srcQp = 0;
    wcFlags = NO_FLAGS;
    explanation = null;
    nanos = 0;
    cvlan = 0;
    sl = 0;
    slots = null;
    isRemoved = false;
    return this;
  }

  void set(Cqe other) {
    wrId = other.wrId;
    status = other.status;
    opcode = other.opcode;
    qpNum = other.qpNum;
    byteLen = other.byteLen;
    immData = other.immData;
    srcQp = other.srcQp;
    wcFlags = other.wcFlags;
    explanation = other.explanation;
    nanos = other.nanos;
    cvlan = other.cvlan;
    sl = other.sl;
    slots = other.slots;
    slotNumber = other.slotNumber;
    isRemoved = other.isRemoved;
  }

  public Cqe byteLen(int bytes) {
    byteLen = bytes;
    return this;
  }

  public Cqe immData(int newImmData) {
    immData = newImmData;
    return this;
  }

  public Cqe srcQp(int newSrcQp) {
    srcQp = newSrcQp;
    return this;
  }

  public Cqe wcFlags(Set<WcFlag> newFlags) {
    wcFlags = newFlags;
    return this;
  }

  public Cqe explanation(String newExplanation) {
    explanation = newExplanation;
    return this;
  }

  public Cqe cvlan(int newCvlan) {
    cvlan = newCvlan;
    return this;
  }

  public Cqe sl(int newSl) {
    sl = newSl;
    return this;
  }

  /** Ties the entry to a send, so that its poll frees the slots up to that send. */
  public Cqe ofSend(SendWqe send) {
    slots = send.slots();
    slotNumber = send.slotNumber();
    return this;
  }

  void setNanos(long newNanos) {
    nanos = newNanos;
  }

  /** Marks the entry as removed with its queue pair; a program has yet to pass it. */
  void remove() {
    isRemoved = true;
  }

  boolean isRemoved() {
    return isRemoved;
  }

  void freeSlots() {
    if (slots != null) {
      slots.freeThrough(slotNumber);
      slots = null;
    }
  }

  public WorkCompletion toRecord() {
    return new WorkCompletion(
        wrId, status, opcode, 0, byteLen, immData, qpNum, srcQp, wcFlags, explanation);
  }

  public boolean isSuccess() {
    return status == WcStatus.SUCCESS;
  }

  public long wrId() {
    return wrId;
  }

  public WcStatus status() {
    return status;
  }

  public WcOpcode opcode() {
    return opcode;
  }

  public int byteLen() {
    return byteLen;
  }

  /** Immediate data, or the key that was invalidated. */
  public int immData() {
    return immData;
  }

  public int qpNum() {
    return qpNum;
  }

  public int srcQp() {
    return srcQp;
  }

  public Set<WcFlag> wcFlags() {
    return wcFlags;
  }

  /** Reason of the failure in words; null on success. */
  public @Nullable String explanation() {
    return explanation;
  }

  /** Time at which the entry was added, in nanoseconds of the device clock. */
  public long nanos() {
    return nanos;
  }

  public int cvlan() {
    return cvlan;
  }

  /** Service level; for RoCE datagrams, flags of the received headers; 0 for all others. */
  public int sl() {
    return sl;
  }
}
