// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

import io.queuepair.emulator.memory.SgeArray;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AtomicCmpAndSwpWr;
import io.queuepair.verbs.AtomicFetchAndAddWr;
import io.queuepair.verbs.BindMwWr;
import io.queuepair.verbs.FlushWr;
import io.queuepair.verbs.LocalInvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWithInvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.TsoWr;
import io.queuepair.verbs.UdWr;
import io.queuepair.verbs.WrOpcode;
import io.queuepair.verbs.XrcWr;
import java.nio.ByteBuffer;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Send request, as {@code struct ibv_send_wr}: fields that are filled from a record of the API or
 * from a structure of C. It can be filled again.
 */
public final class SendRequest {
  /** More inline data than this has memory for one send only. */
  private static final int MAX_KEPT_BYTES = 4096;

  private final SgeArray sges = new SgeArray();

  /** Memory of the data that is carried inline; it is used again by the next send. */
  private Payload inlinePayload = Payload.EMPTY;

  private long wrId;
  private SendOperation operation = SendOperation.SEND;
  private Set<SendFlag> flags = Set.of();

  /** Data given by value, or null. */
  private @Nullable Payload value;

  /** What was in its memory when it was posted, or null. */
  private @Nullable Payload copied;

  private long remoteAddr;
  private int rkey;

  /** Immediate data, or the key that the peer, or the device itself, is to invalidate. */
  private int number;

  private long compareAdd;
  private long swap;

  /** Record with the fields that only FLUSH, BIND_MW and TSO have; null for the others. */
  private @Nullable SendWr details;

  /** Whether it is addressed as a datagram, and to whom. */
  private boolean isDatagram;

  private @Nullable AddressHandle ah;
  private int remoteQpn;
  private int remoteQkey;

  /** Shared receive queue of the peer, or 0. */
  private int remoteSrqn;

  /** Begins with nothing but what every request has. */
  public SendRequest begin(long newWrId, WrOpcode newOpcode, Set<SendFlag> newFlags) {
    clear();
    wrId = newWrId;
    operation = SendOperation.of(newOpcode);
    flags = newFlags;
    return this;
  }

  /** Lets go of all that it refers to. */
  void clear() {
    sges.clear();
    value = null;
    copied = null;
    remoteAddr = 0;
    rkey = 0;
    number = 0;
    details = null;
    isDatagram = false;
    ah = null;
    remoteSrqn = 0;
  }

  /** Takes all that a record says, and its address. */
  public void set(SendWr wr) {
    if (wr instanceof UdWr udWr) {
      setOperation(udWr.wr());
      to(udWr.ah(), udWr.remoteQpn(), udWr.remoteQkey());
    } else if (wr instanceof XrcWr xrc) {
      setOperation(xrc.wr());
      toSrq(xrc.remoteSrqn());
    } else {
      setOperation(wr);
    }
  }

  private void setOperation(SendWr wr) {
    begin(wr.wrId(), wr.opcode(), wr.flags());
    sges.set(wr.sgList());
    if (wr instanceof SendWr.RemoteAccess access) {
      remote(access.remoteAddr(), access.rkey());
    }
    if (wr instanceof SendWr.WithImmediate with) {
      number(with.immData());
    } else if (wr instanceof SendWithInvWr invalidation) {
      number(invalidation.invalidateRkey());
    } else if (wr instanceof LocalInvWr invalidation) {
      number(invalidation.invalidateRkey());
    } else if (wr instanceof AtomicCmpAndSwpWr atomic) {
      atomic(atomic.compare(), atomic.swap());
    } else if (wr instanceof AtomicFetchAndAddWr atomic) {
      atomic(atomic.add(), 0);
    } else if (wr instanceof FlushWr || wr instanceof BindMwWr || wr instanceof TsoWr) {
      details(wr);
    }
  }

  /** Memory of the peer. */
  public SendRequest remote(long newRemoteAddr, int newRkey) {
    remoteAddr = newRemoteAddr;
    rkey = newRkey;
    return this;
  }

  /** Immediate data, or a key to invalidate. */
  public SendRequest number(int newNumber) {
    number = newNumber;
    return this;
  }

  /** Sets the operands of an atomic operation. */
  public SendRequest atomic(long newCompareAdd, long newSwap) {
    compareAdd = newCompareAdd;
    swap = newSwap;
    return this;
  }

  /** The record of a FLUSH, BIND_MW or TSO. */
  public SendRequest details(SendWr wr) {
    details = wr;
    return this;
  }

  /** Data by value, instead of entries; copied now. */
  public SendRequest copyValue(ByteBuffer bytes, int offset, int length) {
    Payload payload = reserveInline(length);
    new Payload(bytes, offset, length).copyTo(payload.buffer(), 0);
    return value(payload);
  }

  /** So many bytes for data that is carried inline, at the beginning of a buffer, to be filled. */
  public Payload reserveInline(int length) {
    if (length > MAX_KEPT_BYTES) {
      return new Payload(ByteBuffer.allocate(length), 0, length);
    }
    if (inlinePayload.length() != length) {
      boolean hasRoom = inlinePayload.buffer().capacity() >= length;
      ByteBuffer buffer = hasRoom ? inlinePayload.buffer() : ByteBuffer.allocate(length);
      inlinePayload = new Payload(buffer, 0, length);
    }
    return inlinePayload;
  }

  /** Data by value, instead of entries. */
  public SendRequest value(@Nullable Payload payload) {
    value = payload;
    return this;
  }

  /**
   * What was in the memory of its entries, which is of another process, when it was posted: all of
   * it. Needed until the post ends. It need not be read then, though its keys are checked as ever.
   */
  public SendRequest copied(ByteBuffer bytes, int offset, int length) {
    copied = new Payload(bytes, offset, length);
    return this;
  }

  /** Addresses it as a datagram. */
  public void to(@Nullable AddressHandle newAh, int newRemoteQpn, int newRemoteQkey) {
    isDatagram = true;
    ah = newAh;
    remoteQpn = newRemoteQpn;
    remoteQkey = newRemoteQkey;
  }

  /** Addresses it to a shared receive queue of the peer. */
  public void toSrq(int newRemoteSrqn) {
    remoteSrqn = newRemoteSrqn;
  }

  public long wrId() {
    return wrId;
  }

  public WrOpcode opcode() {
    return operation.opcode();
  }

  /** The row of the operation. */
  public SendOperation operation() {
    return operation;
  }

  public boolean has(SendFlag flag) {
    return flags.contains(flag);
  }

  /** The local memory. */
  public SgeArray sges() {
    return sges;
  }

  public @Nullable Payload value() {
    return value;
  }

  /** What was in its memory when it was posted, or null. */
  public @Nullable Payload copied() {
    return copied;
  }

  /** Address at the peer; 0 if the operation has none. */
  public long remoteAddr() {
    return remoteAddr;
  }

  /** Key of the memory at the peer; 0 if the operation has none. */
  public int rkey() {
    return rkey;
  }

  /** Immediate data, or the key to invalidate. */
  public int number() {
    return number;
  }

  /** Operand that an atomic operation adds, or compares with. */
  public long compareAdd() {
    return compareAdd;
  }

  public long swap() {
    return swap;
  }

  /** The record of a large send, or null. */
  public @Nullable TsoWr tso() {
    return details instanceof TsoWr tso ? tso : null;
  }

  /** The record of a FLUSH, or null. */
  public @Nullable FlushWr flush() {
    return details instanceof FlushWr flush ? flush : null;
  }

  /** The record of a bind, or null. */
  public @Nullable BindMwWr bind() {
    return details instanceof BindMwWr bind ? bind : null;
  }

  public boolean isDatagram() {
    return isDatagram;
  }

  public @Nullable AddressHandle ah() {
    return ah;
  }

  public int remoteQpn() {
    return remoteQpn;
  }

  public int remoteQkey() {
    return remoteQkey;
  }

  /** Shared receive queue of the peer; 0 if none is named. */
  public int remoteSrqn() {
    return remoteSrqn;
  }
}
