// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.AccessContext;
import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.queue.SharedReceiveRing;
import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.Opcode.Service;
import io.queuepair.emulator.wire.Packet;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Where the receives of a message come from: the queue of the queue pair, a queue that it shares,
 * or the one that an XRC packet names.
 */
final class ReceiveQueueRef {
  private final QpContext qp;

  /** The shared queue, or null. */
  private final @Nullable SharedReceiveRing shared;

  private ReceiveQueueRef(QpContext qp, @Nullable SharedReceiveRing shared) {
    this.qp = qp;
    this.shared = shared;
  }

  public static ReceiveQueueRef of(QpContext qp) {
    return new ReceiveQueueRef(qp, qp.setup().srq());
  }

  /** Takes the next receive, or null. */
  public @Nullable RecvWqe take() {
    return shared == null ? qp.receiveQueue().poll() : shared.take();
  }

  /** Takes the next receive, or null; it stays outstanding, as its message has more to come. */
  @Nullable RecvWqe takeAndHold() {
    return shared == null ? qp.receiveQueue().pollAndHold() : shared.take();
  }

  /** A receive that was held is about to complete, or is given up. */
  void release() {
    if (shared == null) {
      qp.receiveQueue().release();
    }
  }

  /** Whether there is a receive to take. */
  boolean hasNext() {
    return next() != null;
  }

  /** Room of the next receive in bytes, or -1 if there is none. */
  public long nextLengthBytes() {
    RecvWqe next = next();
    return next == null ? -1 : next.lengthBytes();
  }

  private @Nullable RecvWqe next() {
    return shared == null ? qp.receiveQueue().peek() : shared.ring().peek();
  }

  /** Domain of the memory that receives name. */
  public int receiveDomain() {
    return shared == null ? qp.domain() : shared.domain();
  }

  /** As who peers access memory by key. */
  public AccessContext accessor() {
    return isXrc()
        ? new AccessContext(shared.domain(), null)
        : new AccessContext(qp.domain(), qp.incarnation());
  }

  @Nullable CompletionRing completions() {
    return isXrc() ? shared.xrc().completions() : qp.receiveCompletions();
  }

  private boolean isXrc() {
    return shared != null && shared.xrc() != null;
  }

  /** Where the receives of a responder come from, packet by packet, and how many there are. */
  public static final class Resolver {
    private final QpContext qp;

    /** Source for all packets; null if each names its shared queue. */
    private final @Nullable ReceiveQueueRef receiveQueue;

    /** The shared receive queues of the device by number. */
    private final IntFunction<SharedReceiveRing> sharedQueues;

    /** Whether ACKs carry credits; with a shared receive queue they cannot. */
    private final boolean grantsCredits;

    public Resolver(
        QpContext qp,
        Service service,
        IntFunction<SharedReceiveRing> sharedQueues,
        boolean usesCredits) {
      this.qp = qp;
      this.sharedQueues = sharedQueues;
      receiveQueue = service == Service.XRC ? null : ReceiveQueueRef.of(qp);
      grantsCredits = usesCredits && service == Service.RC && qp.setup().srq() == null;
    }

    /** Where the receive of a packet comes from, or null if it names a queue that is not there. */
    public @Nullable ReceiveQueueRef of(Packet packet) {
      if (receiveQueue != null) {
        return receiveQueue;
      }
      SharedReceiveRing ring = sharedQueues.apply(packet.xrcEth().srqn());
      boolean isReachable =
          ring != null && ring.xrc() != null && ring.xrc().xrcDomain() == qp.domain();
      return isReachable ? new ReceiveQueueRef(qp, ring) : null;
    }

    /** Credits of an ACK: receives for the messages that it does not acknowledge yet. */
    public int creditCode() {
      return grantsCredits
          ? Aeth.creditCodeWithin(qp.receiveQueue().outstanding())
          : Aeth.UNLIMITED_CREDITS;
    }
  }
}
