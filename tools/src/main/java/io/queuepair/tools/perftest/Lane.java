package io.queuepair.tools.perftest;

import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.DatagramWr;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import java.util.Collections;

/** A queue pair, the memory it sends from and that the peer writes to, and where the peer is. */
final class Lane {
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
  private final Destination own;
  private Destination peer;
  private AddressHandle way;

  Lane(int index, QueuePair qp, MemoryRegion outgoing, MemoryRegion incoming, Destination own) {
    this.index = index;
    this.qp = qp;
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

  Destination own() {
    return own;
  }

  Destination peer() {
    return peer;
  }

  /** Tells where the peer is; the way is that of datagrams, null for connections. */
  void aim(Destination destination, AddressHandle datagramWay) {
    peer = destination;
    way = datagramWay;
  }

  /**
   * The request that is measured.
   *
   * @param count how many sends of the lane are done when this one is
   */
  SendWr request(Settings settings, int size, long count) {
    long wrId = ((long) index << INDEX_SHIFT) | count;
    SendWr request =
        switch (settings.operation()) {
          case WRITE -> SendWr.rdmaWrite(wrId, peer.vaddr(), peer.rkey(), outgoing.sge(0, size));
          case READ -> SendWr.rdmaRead(wrId, peer.vaddr(), peer.rkey(), outgoing.sge(0, size));
          case SEND -> SendWr.send(wrId, outgoing.sge(0, size));
          case ATOMIC -> atomic(wrId, settings.options().atomicType);
        };
    return way == null ? request : new DatagramWr(request, way, peer.qpn(), QKEY);
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
    return request.withFlags(new SendFlag[0]);
  }

  void postReceives(int size, int count) {
    int length = way == null ? size : size + GRH_BYTES;
    RecvWr receive = RecvWr.of((long) index << INDEX_SHIFT, incoming.sge(0, length));
    qp.postRecv(Collections.nCopies(count, receive));
  }
}
