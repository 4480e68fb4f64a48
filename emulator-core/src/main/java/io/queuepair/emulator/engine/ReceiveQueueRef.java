// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.AccessContext;
import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.queue.SharedReceiveRing;
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

  /** The shared queue that an XRC packet names; null if its target does not reach it. */
  static @Nullable ReceiveQueueRef ofXrc(QpContext target, @Nullable SharedReceiveRing named) {
    boolean isReachable =
        named != null && named.xrc() != null && named.xrc().xrcDomain() == target.domain();
    return isReachable ? new ReceiveQueueRef(target, named) : null;
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
}
