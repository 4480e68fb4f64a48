package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.Accessor;
import io.queuepair.emulator.qp.QpContext;
import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.queue.SharedReceiveRing;

/**
 * Where the receives of a message come from: the queue of the queue pair, a queue that it shares,
 * or the one that an XRC packet names.
 */
final class ReceiveSource {
  private final QpContext qp;

  /** The shared queue, or null. */
  private final SharedReceiveRing shared;

  private ReceiveSource(QpContext qp, SharedReceiveRing shared) {
    this.qp = qp;
    this.shared = shared;
  }

  static ReceiveSource of(QpContext qp) {
    return new ReceiveSource(qp, qp.setup().srq());
  }

  static ReceiveSource ofXrc(QpContext qp, SharedReceiveRing named) {
    return new ReceiveSource(qp, named);
  }

  /** Takes the next receive, or null. */
  RecvWqe take() {
    return shared == null ? qp.receiveQueue().poll() : shared.take();
  }

  /** A receive that was taken stays outstanding: its message has more packets to come. */
  void hold() {
    if (shared == null) {
      qp.receiveQueue().hold();
    }
  }

  /** A receive that was held is about to complete, or is given up. */
  void release() {
    if (shared == null) {
      qp.receiveQueue().release();
    }
  }

  /** Room of the next receive in bytes, or -1 if there is none. */
  long nextLengthBytes() {
    RecvWqe next = shared == null ? qp.receiveQueue().peek() : shared.ring().peek();
    return next == null ? -1 : next.lengthBytes();
  }

  /** Domain of the memory that receives name. */
  int receiveDomain() {
    return shared == null ? qp.domain() : shared.domain();
  }

  /** As who peers access memory by key. */
  Accessor accessor() {
    return isXrc() ? new Accessor(shared.domain(), null) : new Accessor(qp.domain(), qp.life());
  }

  CompletionRing completions() {
    return isXrc() ? shared.xrc().completions() : qp.receiveCompletions();
  }

  private boolean isXrc() {
    return shared != null && shared.xrc() != null;
  }
}
