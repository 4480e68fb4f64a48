// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.MemoryFault;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.emulator.queue.Cqe;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.queue.WorkError;
import io.queuepair.emulator.queue.WorkListener;
import io.queuepair.emulator.queue.WqePool;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.verbs.HwCounter;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.WcFlag;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WcStatus;
import java.net.Inet4Address;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the completions of one queue pair, and logs failures at DEBUG. */
final class CompletionWriter {
  private static final Logger LOG = LoggerFactory.getLogger(CompletionWriter.class);

  private static final Set<WcFlag> NO_FLAGS = WcFlag.setOf();
  private static final Set<WcFlag> WITH_IMM = WcFlag.setOf(WcFlag.WITH_IMM);
  private static final Set<WcFlag> WITH_INV = WcFlag.setOf(WcFlag.WITH_INV);
  private static final Set<WcFlag> GRH = WcFlag.setOf(WcFlag.GRH);
  private static final Set<WcFlag> GRH_WITH_INV = WcFlag.setOf(WcFlag.GRH, WcFlag.WITH_INV);
  private static final Set<WcFlag> GRH_WITH_IMM = WcFlag.setOf(WcFlag.GRH, WcFlag.WITH_IMM);
  private static final Set<WcFlag> IP_CSUM_OK = WcFlag.setOf(WcFlag.IP_CSUM_OK);
  private static final Set<WcFlag> GRH_IP_CSUM_OK = WcFlag.setOf(WcFlag.GRH, WcFlag.IP_CSUM_OK);
  private static final Set<WcFlag> GRH_WITH_IMM_IP_CSUM_OK =
      WcFlag.setOf(WcFlag.GRH, WcFlag.WITH_IMM, WcFlag.IP_CSUM_OK);

  /** Flags of a datagram's headers, in the service level field of its completion. */
  private static final int IPV6 = 1;

  private static final int IPV4 = 2;
  private static final int UDP_HEADER = 8;

  private final QpContext qp;

  private final EngineListeners listeners;

  public CompletionWriter(QpContext qp, EngineListeners listeners) {
    this.qp = qp;
    this.listeners = listeners;
  }

  /**
   * Listeners and shared objects of a device.
   *
   * @param overruns receives completion queues that have just overrun
   * @param explanations receives sentences about refused requests
   * @param workListener notified when a work request ends
   * @param statistics counters of the device
   * @param wqes pool that takes back work queue entries
   * @param cqe reused entry, filled with each completion and copied by the ring
   * @param givenBack run when sends end before they are acknowledged, and the application owns
   *     their memory again
   */
  public record EngineListeners(
      Queue<CqOverrun> overruns,
      Explanations explanations,
      WorkListener workListener,
      DeviceStatistics statistics,
      WqePool wqes,
      Cqe cqe,
      Runnable givenBack) {}

  /** Completion that found no room in its completion queue. */
  public record CqOverrun(CompletionRing ring, long wrId, int qpn) {
    /** Clause that names the completion queue, the completion and the queue pair. */
    public String text() {
      boolean isFull = ring.size() == ring.capacity();
      return "the completion queue of "
          + (ring.capacity() == 1 ? "1 entry" : ring.capacity() + " entries")
          + (isFull ? " overran" : " has no room, as a fault plan says")
          + (" (wr_id " + wrId + " of queue pair " + qpn + ")");
    }
  }

  public void count(HwCounter counter) {
    listeners.statistics.count(qp.attributes().portNum(), counter);
  }

  /**
   * Counts a decision of the responder.
   *
   * @param fault memory rule that the request broke, or null
   */
  public void requestChecked(RequestStatus requestStatus, @Nullable MemoryFault fault) {
    listeners.statistics.requestChecked(requestStatus, fault);
  }

  /**
   * Explains a request that the responder refused.
   *
   * @param reason names the request and the rule that it broke
   */
  public void refused(String reason) {
    if (listeners.explanations.areWanted()) {
      listeners.explanations.add("queue pair " + qp.qpn() + " refused " + peerName() + reason);
    }
  }

  /** Names the peer of a connection; empty for datagrams, which have many peers. */
  private String peerName() {
    return qp.route() == null
        ? ""
        : "a request of queue pair "
            + qp.attributes().destQpNum()
            + (" of " + qp.route().destination().getHostAddress() + ": ");
  }

  /** Counts a state transition, before it is made. */
  public void stateEntered(QpState next) {
    listeners.statistics.stateEntered(qp.type(), qp.state(), next);
  }

  /** Completes a send with success and recycles its entry. */
  public void sent(SendWqe wqe) {
    done(wqe);
    if (wqe.isSignaled()) {
      Cqe cqe = success(wqe.wrId(), wqe.operation().wcOpcode(), (int) wqe.lengthBytes());
      if (qp.has(Quirk.FLAGS_ON_ALL_COMPLETIONS) && wqe.operation().hasImmediate()) {
        cqe.wcFlags(WITH_IMM);
      }
      add(qp.sendCompletions(), cqe.ofSend(wqe), false);
    }
    listeners.wqes.recycle(wqe);
  }

  private void done(SendWqe wqe) {
    listeners.workListener.ended(wqe);
    if (wqe.operation().wcOpcode() == WcOpcode.SEND) {
      count(HwCounter.RDMA_SENDS);
    }
    if (qp.has(Quirk.SLOTS_FREE_WHEN_DONE)) {
      wqe.freeSlots();
    }
  }

  /** Notifies that the send queue is dropped without completions. */
  public void sendsAbandoned() {
    listeners.givenBack.run();
  }

  /** Completes a send in error and recycles its entry. */
  public void sendFailed(SendWqe wqe, WorkError error) {
    if (wqe.isStarted()) {
      listeners.givenBack.run();
    }
    done(wqe);
    wqe.reportFailure();
    add(qp.sendCompletions(), failure(wqe.wrId(), error).ofSend(wqe), false);
    listeners.wqes.recycle(wqe);
  }

  /** Completes the receive of a SEND, or the one that a WRITE with immediate consumed. */
  public void received(IncomingMessage message, Packet last) {
    Cqe cqe = completionOf(message, last, listeners.cqe);
    received(message.receiveQueue(), message.takeReceive(), cqe, last.isSolicited());
  }

  /** Fills in the completion of a receive that the last packet of a message ends. */
  Cqe completionOf(IncomingMessage message, Packet last, Cqe cqe) {
    WcOpcode opcode = message.isWrite() ? WcOpcode.RECV_RDMA_WITH_IMM : WcOpcode.RECV;
    boolean isInvalidation = last.opcode().hasInvalidate();
    return cqe.begin(message.receive().wrId(), WcStatus.SUCCESS, opcode, qp.qpn())
        .byteLen((int) message.placedBytes())
        .immData(isInvalidation ? last.ieth().rkey() : immediateOf(last))
        .wcFlags(flagsOf(last));
  }

  /** Adds the completion of a receive, and recycles its entry. */
  void received(ReceiveQueueRef receiveQueue, RecvWqe wqe, Cqe cqe, boolean isSolicited) {
    count(HwCounter.RDMA_RECVS);
    listeners.workListener.ended(wqe);
    add(receiveQueue.completions(), cqe, isSolicited);
    listeners.wqes.recycle(wqe);
  }

  private Set<WcFlag> flagsOf(Packet last) {
    if (qp.has(Quirk.FLAGS_ON_ALL_COMPLETIONS)) {
      if (last.opcode().hasInvalidate()) {
        return GRH_WITH_INV;
      }
      return last.opcode().hasImmediate() ? GRH_WITH_IMM : GRH;
    }
    if (last.opcode().hasInvalidate()) {
      return WITH_INV;
    }
    return last.opcode().hasImmediate() ? WITH_IMM : NO_FLAGS;
  }

  /**
   * Completes a receive that holds a GRH and a datagram.
   *
   * @param isRight whether the datagram holds an IPv4 packet with right checksums
   */
  public void receivedDatagram(RecvWqe wqe, Packet packet, int bytes, boolean isRight) {
    listeners.workListener.ended(wqe);
    count(HwCounter.RDMA_RECVS);
    Cqe cqe =
        success(wqe.wrId(), WcOpcode.RECV, bytes)
            .immData(immediateOf(packet))
            .srcQp(packet.deth().sourceQpn())
            .sl(qp.has(Quirk.SL_ZERO) ? 0 : headersOf(packet))
            .wcFlags(datagramFlags(packet.opcode().hasImmediate(), isRight));
    add(ReceiveQueueRef.of(qp).completions(), cqe, packet.isSolicited());
    listeners.wqes.recycle(wqe);
  }

  private static int headersOf(Packet packet) {
    // Rule completions.datagram-headers: Where InfiniBand has the service level, the completion of
    // a
    // datagram tells whether its IP header is of version 4 or 6, and that UDP follows.
    // Source: IBTA A17.4.5.1 (asks for such a flag); mlx5 fills in the service level so; ud_verbs.c
    // of
    // UCX 1.11 to 1.18 reads it
    // Test: DatagramHeadersTest.serviceLevelTellsTheVersionOfIp
    return UDP_HEADER | (packet.route().destination() instanceof Inet4Address ? IPV4 : IPV6);
  }

  private static Set<WcFlag> datagramFlags(boolean hasImmediate, boolean isRight) {
    if (isRight) {
      return hasImmediate ? GRH_WITH_IMM_IP_CSUM_OK : GRH_IP_CSUM_OK;
    }
    return hasImmediate ? GRH_WITH_IMM : GRH;
  }

  /**
   * Completes a receive that holds a frame.
   *
   * @param isRight whether the frame holds an IPv4 packet with right checksums
   * @param cvlan VLAN tag that was removed from the frame, or 0
   */
  public void receivedFrame(RecvWqe wqe, int bytes, boolean isRight, int cvlan) {
    listeners.workListener.ended(wqe);
    Cqe cqe =
        success(wqe.wrId(), WcOpcode.RECV, bytes)
            .wcFlags(isRight ? IP_CSUM_OK : NO_FLAGS)
            .cvlan(cvlan);
    add(qp.receiveCompletions(), cqe, false);
    listeners.wqes.recycle(wqe);
  }

  private static int immediateOf(Packet packet) {
    return packet.opcode().hasImmediate() ? packet.immDt().immediate() : 0;
  }

  /** Recycles the receive in use, if any, without a completion. */
  public void abandoned(@Nullable RecvWqe wqe) {
    if (wqe != null) {
      listeners.workListener.ended(wqe);
      listeners.wqes.recycle(wqe);
    }
  }

  /** Completes a receive in error and recycles its entry. */
  public void receiveFailed(ReceiveQueueRef receiveQueue, RecvWqe wqe, WorkError error) {
    listeners.workListener.ended(wqe);
    add(receiveQueue.completions(), failure(wqe.wrId(), error), true);
    listeners.wqes.recycle(wqe);
  }

  private Cqe success(long wrId, WcOpcode opcode, int bytes) {
    return listeners.cqe.begin(wrId, WcStatus.SUCCESS, opcode, qp.qpn()).byteLen(bytes);
  }

  private Cqe failure(long wrId, WorkError error) {
    LOG.debug("QP {}: wr_id {}: {}: {}", qp.qpn(), wrId, error.status(), error.explanation());
    return listeners
        .cqe
        .begin(wrId, error.status(), WcOpcode.SEND, qp.qpn())
        .explanation(error.explanation());
  }

  private void add(CompletionRing ring, Cqe cqe, boolean solicited) {
    listeners.statistics.completed(cqe.status());
    if (!ring.add(cqe, solicited)) {
      CqOverrun overrun = new CqOverrun(ring, cqe.wrId(), qp.qpn());
      listeners.overruns.add(overrun);
      listeners.explanations.add(overrun.text());
    }
  }
}
