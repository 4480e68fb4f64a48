// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import io.queuepair.tools.cli.DatagramPeer;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/** A queue pair, the memory it sends from and that the peer writes to, and where the peer is. */
final class QpChannel {
  static final int QKEY = 0x1111_1111;

  /** What precedes a datagram in the memory of a receive. */
  static final int GRH_BYTES = 40;

  private static final int INDEX_SHIFT = 40;
  private static final long COUNT_MASK = (1L << INDEX_SHIFT) - 1;
  private static final long CHANGE = 1;

  private final int index;
  private final QueuePair qp;
  private final MemoryRegion outgoing;
  private final MemoryRegion incoming;
  private final PeerQp own;
  private final Consumer<List<RecvWr>> receiver;
  private final int headroomBytes;
  private PeerQp peer;
  private DatagramPeer datagramPeer;

  /**
   * Creates one.
   *
   * @param receiver where receives are posted: the queue pair or a shared receive queue
   * @param headroomBytes what precedes a message in the memory of a receive
   */
  QpChannel(
      int index,
      QueuePair qp,
      Consumer<List<RecvWr>> receiver,
      int headroomBytes,
      MemoryRegion outgoing,
      MemoryRegion incoming,
      PeerQp own) {
    this.index = index;
    this.qp = qp;
    this.receiver = receiver;
    this.headroomBytes = headroomBytes;
    this.outgoing = outgoing;
    this.incoming = incoming;
    this.own = own;
  }

  /** Which lane a completion is of. */
  static int indexOf(long wrId) {
    return (int) (wrId >>> INDEX_SHIFT);
  }

  /** How many sends of the lane a completion says are done. */
  static long countOf(long wrId) {
    return wrId & COUNT_MASK;
  }

  QueuePair qp() {
    return qp;
  }

  MemoryRegion outgoing() {
    return outgoing;
  }

  MemoryRegion incoming() {
    return incoming;
  }

  PeerQp own() {
    return own;
  }

  PeerQp peer() {
    return peer;
  }

  /** Tells where the peer is. */
  void aim(PeerQp peerQp) {
    peer = peerQp;
  }

  /** Tells where datagrams go. */
  void sendTo(DatagramPeer newPeer) {
    datagramPeer = newPeer;
  }

  DatagramPeer datagramPeer() {
    return datagramPeer;
  }

  /**
   * The request that is measured.
   *
   * @param count how many sends of the lane are done when this one is
   */
  SendWr request(PerftestSettings settings, int size, long count) {
    long wrId = ((long) index << INDEX_SHIFT) | count;
    SendWr request =
        switch (settings.operation()) {
          case WRITE -> SendWr.rdmaWrite(wrId, peer.vaddr(), peer.rkey(), outgoing.sge(0, size));
          case READ -> SendWr.rdmaRead(wrId, peer.vaddr(), peer.rkey(), outgoing.sge(0, size));
          case SEND -> SendWr.send(wrId, outgoing.sge(0, size));
          case ATOMIC -> atomic(wrId, settings.options().atomicType);
        };
    SendWr sent = size <= settings.inlineSize() ? request.plusFlags(SendFlag.INLINE) : request;
    if (datagramPeer != null) {
      return sent.to(datagramPeer.ah(), datagramPeer.qpn(), datagramPeer.qkey());
    }
    return settings.isXrc() ? sent.toSrq(peer.srqn()) : sent;
  }

  private SendWr atomic(long wrId, AtomicType type) {
    var target = new SendWr.RemoteTarget(peer.vaddr(), peer.rkey());
    var result = outgoing.sge(0, Benchmark.ATOMIC_BYTES);
    return switch (type) {
      case FETCH_AND_ADD -> SendWr.fetchAndAdd(wrId, target, CHANGE, result);
      case CMP_AND_SWAP -> SendWr.compareAndSwap(wrId, target, 0, CHANGE, result);
    };
  }

  /** The same, without a completion of its own. */
  static SendWr unsignaled(SendWr request) {
    return request.unsignaled();
  }

  void postReceives(int size, int count) {
    var target = incoming.sge(0, headroomBytes + size);
    RecvWr receive = RecvWr.of((long) index << INDEX_SHIFT, target);
    receiver.accept(Collections.nCopies(count, receive));
  }
}
