// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

import io.queuepair.emulator.memory.MwBindRequest;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.Psn;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.WrOpcode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A posted send: its checked and flattened request, and its PSNs once it has started. */
public final class SendWqe {
  private final SendWr request;
  private final WrOpcode opcode;
  private final List<Sge> sges;
  private final long lengthBytes;
  private final boolean signaled;
  private final boolean solicited;
  private final boolean fenced;

  /** Where it accesses memory of the peer, and by which key; 0 if it does not. */
  private final long remoteAddr;

  private final int rkey;

  /** Where a datagram goes, otherwise null. */
  private final @Nullable UdDestination target;

  /** Number of the shared receive queue that an XRC request is for. */
  private final int remoteSrqn;

  /** What a BIND_MW binds, otherwise null. */
  private final @Nullable MwBindRequest bind;

  /** Data captured at post time, or null. */
  private final @Nullable Payload inlineData;

  private boolean started;
  private int firstPsn;
  private int packets;
  private int requestPsn;

  /** How many PSNs each part of a READ has, or 0 if it was asked for in one piece. */
  private int partPackets;

  /** Where it has a slot, once it is posted, and its number there. */
  private @Nullable SendSlots slots;

  private long slotNumber;

  /** Why this request cannot be carried out, known before its turn to complete came; or null. */
  private @Nullable WorkError failure;

  /**
   * Flattens a request.
   *
   * @param request the operation itself, without address
   * @param lengthBytes bytes of all entries together
   * @param inlineData the bytes, if the request carries them inline; otherwise null
   * @param signaled whether success is reported
   */
  public SendWqe(
      SendWr request,
      Address address,
      long lengthBytes,
      @Nullable Payload inlineData,
      boolean signaled) {
    this.request = request;
    opcode = request.opcode();
    sges = List.copyOf(request.sgList());
    this.lengthBytes = lengthBytes;
    this.inlineData = inlineData;
    this.signaled = signaled;
    solicited = request.flags().contains(SendFlag.SOLICITED);
    fenced = request.flags().contains(SendFlag.FENCE);
    if (request instanceof SendWr.RemoteAccess access) {
      remoteAddr = access.remoteAddr();
      rkey = access.rkey();
    } else {
      remoteAddr = 0;
      rkey = 0;
    }
    target = address.datagram();
    remoteSrqn = address.srqn();
    bind = address.bind();
  }

  /**
   * What a request is addressed to besides the peer of the connection.
   *
   * @param datagram where a datagram goes, otherwise null
   * @param srqn shared receive queue of an XRC request, otherwise 0
   * @param bind what a BIND_MW binds, otherwise null
   */
  public record Address(@Nullable UdDestination datagram, int srqn, @Nullable MwBindRequest bind) {
    /** The peer and nothing else. */
    public static final Address PEER = new Address(null, 0, null);

    /** The same for a BIND_MW. */
    public Address withBind(MwBindRequest newBind) {
      return new Address(datagram, srqn, newBind);
    }
  }

  public long wrId() {
    return request.wrId();
  }

  /** The operation as it was posted. */
  public SendWr request() {
    return request;
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

  public @Nullable Payload inlineData() {
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

  /** Whether an operation is carried out here, without a packet and without a PSN. */
  public static boolean isLocal(WrOpcode opcode) {
    return opcode == WrOpcode.BIND_MW || opcode == WrOpcode.LOCAL_INV;
  }

  /** Whether it is carried out here, without a packet and without a PSN. */
  public boolean isLocal() {
    return isLocal(opcode);
  }

  /** What is bound; only for a BIND_MW. */
  public @Nullable MwBindRequest bind() {
    return bind;
  }

  /**
   * Whether the peer answers it with more than an acknowledgement, so that it takes one of
   * MAX_QP_RD_ATOMIC and a later acknowledgement does not stand for the answer.
   */
  public boolean needsResponse() {
    return switch (opcode) {
      case RDMA_READ, ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD, FLUSH, ATOMIC_WRITE -> true;
      case SEND,
          SEND_WITH_IMM,
          SEND_WITH_INV,
          RDMA_WRITE,
          RDMA_WRITE_WITH_IMM,
          LOCAL_INV,
          BIND_MW,
          TSO,
          DRIVER1 ->
          false;
    };
  }

  /** Whether the answer of the peer is put into the local memory, which otherwise is read. */
  public boolean isFetch() {
    return needsResponse() && opcode != WrOpcode.FLUSH && opcode != WrOpcode.ATOMIC_WRITE;
  }

  /** Whether it takes a receive of the peer. */
  public boolean consumesReceive() {
    return switch (opcode) {
      case SEND, SEND_WITH_IMM, SEND_WITH_INV, RDMA_WRITE_WITH_IMM -> true;
      case RDMA_WRITE,
          RDMA_READ,
          ATOMIC_CMP_AND_SWP,
          ATOMIC_FETCH_AND_ADD,
          FLUSH,
          ATOMIC_WRITE,
          LOCAL_INV,
          BIND_MW,
          TSO,
          DRIVER1 ->
          false;
    };
  }

  /** Whether it carries immediate data. */
  public boolean hasImmediate() {
    return opcode == WrOpcode.SEND_WITH_IMM || opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
  }

  public boolean isWrite() {
    return opcode == WrOpcode.RDMA_WRITE || opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
  }

  /** Where a datagram goes; only for those. */
  public @Nullable UdDestination target() {
    return target;
  }

  /** Shared receive queue that an XRC request is for; only for those. */
  public int remoteSrqn() {
    return remoteSrqn;
  }

  /** Address at the peer; only for operations that have one. */
  public long remoteAddr() {
    return remoteAddr;
  }

  /** Key of the memory at the peer; only for operations that have one. */
  public int rkey() {
    return rkey;
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
