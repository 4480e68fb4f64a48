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

/** Reusable {@code struct ibv_send_wr}, filled from a record of the API or a C structure. */
public final class SendRequest {
  /** Maximum bytes of inline data whose buffer is kept for the next send. */
  private static final int MAX_KEPT_BYTES = 4096;

  private final SgeArray sges = new SgeArray();

  /** Buffer of inline data, reused by the next send. */
  private Payload inlinePayload = Payload.EMPTY;

  private long wrId;
  private SendOperation operation = SendOperation.SEND;
  private Set<SendFlag> flags = Set.of();

  private @Nullable Payload value;

  /** Copy of the memory of the entries at post time, or null. */
  private @Nullable Payload copied;

  private long remoteAddr;
  private int rkey;

  /** Immediate data, or the key that the peer or the device itself invalidates. */
  private int number;

  private long compareAdd;
  private long swap;

  /** Record with the fields that only FLUSH, BIND_MW and TSO have; null for the others. */
  private @Nullable SendWr details;

  /** Whether the request has a datagram destination. */
  private boolean isDatagram;

  private @Nullable AddressHandle ah;
  private int remoteQpn;
  private int remoteQkey;

  /** Number of the shared receive queue at the peer, or 0. */
  private int remoteSrqn;

  /** Sets the fields of every request and clears all others. */
  public SendRequest begin(long newWrId, WrOpcode newOpcode, Set<SendFlag> newFlags) {
    clear();
    wrId = newWrId;
    operation = SendOperation.of(newOpcode);
    flags = newFlags;
    return this;
  }

  /** Clears all references and optional fields. */
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

  /** Copies the fields of a record, including its destination. */
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
    if (operation.isRemoteAccess()) {
      SendWr.RemoteAccess access = (SendWr.RemoteAccess) wr;
      remote(access.remoteAddr(), access.rkey());
    }
    if (operation.hasImmediate()) {
      number(((SendWr.WithImmediate) wr).immData());
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

  /** Sets address and key of the peer's memory. */
  public SendRequest remote(long newRemoteAddr, int newRkey) {
    remoteAddr = newRemoteAddr;
    rkey = newRkey;
    return this;
  }

  /** Sets the immediate data, or the key to invalidate. */
  public SendRequest number(int newNumber) {
    number = newNumber;
    return this;
  }

  public SendRequest atomic(long newCompareAdd, long newSwap) {
    compareAdd = newCompareAdd;
    swap = newSwap;
    return this;
  }

  /** Sets the record of a FLUSH, BIND_MW or TSO. */
  public SendRequest details(SendWr wr) {
    details = wr;
    return this;
  }

  /** Sets data by value, instead of entries, as a copy. */
  public SendRequest copyValue(ByteBuffer bytes, int offset, int length) {
    Payload payload = reserveInline(length);
    new Payload(bytes, offset, length).copyTo(payload.buffer(), 0);
    return value(payload);
  }

  /** Returns a buffer for inline data, to be filled from its start. */
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

  /** Sets data by value, instead of entries, without a copy. */
  public SendRequest value(@Nullable Payload payload) {
    value = payload;
    return this;
  }

  /**
   * Sets a copy, made at post time, of all memory of the entries, which is in another process. The
   * copy must stay valid until the post ends. It saves reading that memory; the keys are checked
   * all the same.
   */
  public SendRequest copied(ByteBuffer bytes, int offset, int length) {
    copied = new Payload(bytes, offset, length);
    return this;
  }

  public void to(@Nullable AddressHandle newAh, int newRemoteQpn, int newRemoteQkey) {
    isDatagram = true;
    ah = newAh;
    remoteQpn = newRemoteQpn;
    remoteQkey = newRemoteQkey;
  }

  /** Sets the shared receive queue of the peer (XRC). */
  public void toSrq(int newRemoteSrqn) {
    remoteSrqn = newRemoteSrqn;
  }

  public long wrId() {
    return wrId;
  }

  public WrOpcode opcode() {
    return operation.opcode();
  }

  public SendOperation operation() {
    return operation;
  }

  public boolean has(SendFlag flag) {
    return flags.contains(flag);
  }

  /** Entries of local memory. */
  public SgeArray sges() {
    return sges;
  }

  public @Nullable Payload value() {
    return value;
  }

  /** Copy of the memory of the entries at post time, or null. */
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

  /** Operand to add or to compare with, of an atomic operation. */
  public long compareAdd() {
    return compareAdd;
  }

  public long swap() {
    return swap;
  }

  public @Nullable TsoWr tso() {
    return details instanceof TsoWr tso ? tso : null;
  }

  public @Nullable FlushWr flush() {
    return details instanceof FlushWr flush ? flush : null;
  }

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

  /** Number of the shared receive queue at the peer; 0 if none is named. */
  public int remoteSrqn() {
    return remoteSrqn;
  }
}
