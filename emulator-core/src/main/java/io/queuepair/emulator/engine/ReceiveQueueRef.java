// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.AccessContext;
import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.queue.SharedReceiveRing;
import org.jspecify.annotations.Nullable;

/**
 * Queue that the receives of a message come from: that of the queue pair, its shared receive queue,
 * or the one that an XRC packet names.
 */
final class ReceiveQueueRef {
  private final QpContext qp;

  private final @Nullable SharedReceiveRing shared;

  private ReceiveQueueRef(QpContext qp, @Nullable SharedReceiveRing shared) {
    this.qp = qp;
    this.shared = shared;
  }

  public static ReceiveQueueRef of(QpContext qp) {
    return new ReceiveQueueRef(qp, qp.setup().srq());
  }

  /** Shared receive queue that an XRC packet names; null if the target's domain lacks it. */
  static @Nullable ReceiveQueueRef ofXrc(QpContext target, @Nullable SharedReceiveRing named) {
    boolean isReachable =
        named != null && named.xrc() != null && named.xrc().xrcDomain() == target.domain();
    return isReachable ? new ReceiveQueueRef(target, named) : null;
  }

  public @Nullable RecvWqe take() {
    return shared == null ? qp.receiveQueue().poll() : shared.take();
  }

  /** Removes the next receive, or null; if not shared, it is held until {@link #release}. */
  @Nullable RecvWqe takeAndHold() {
    return shared == null ? qp.receiveQueue().pollAndHold() : shared.take();
  }

  /** Ends the hold of a receive, before it completes or is dropped. */
  void release() {
    if (shared == null) {
      qp.receiveQueue().release();
    }
  }

  boolean hasNext() {
    return next() != null;
  }

  /** Length of the next receive in bytes, or -1 if there is none. */
  public long nextLengthBytes() {
    RecvWqe next = next();
    return next == null ? -1 : next.lengthBytes();
  }

  private @Nullable RecvWqe next() {
    return shared == null ? qp.receiveQueue().peek() : shared.ring().peek();
  }

  public int receiveDomain() {
    return shared == null ? qp.domain() : shared.domain();
  }

  /** Protection domain and queue pair that remote accesses are checked against. */
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
