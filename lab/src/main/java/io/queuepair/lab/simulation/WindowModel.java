// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.BindMwWr;
import io.queuepair.verbs.LocalInvWr;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.MwBindInfo;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WrOpcode;
import java.util.Set;

/** Model of a memory window of type 2 through which a peer may write to one slot. */
final class WindowModel {
  private static final int TAG_MASK = 0xff;

  final SimulatedQp side;
  private final MemoryWindow window;

  final GuardedBuffer slot;

  /** Key before the first bind. */
  final int firstKey;

  private State state = State.FREE;
  private int key;

  /** Posted local invalidate of the window; null if there is none. */
  private PendingSend closing;

  private enum State {
    /** Never bound, or invalidated. */
    FREE,
    BINDING,
    BOUND,
    /** An invalidate is posted by the owner or by the peer. */
    CLOSING
  }

  WindowModel(SimulatedQp side) {
    this.side = side;
    window = side.host.pd.allocMw(MwType.TYPE_2);
    slot = side.remote.reserve();
    firstKey = window.rkey();
    key = firstKey;
  }

  /** Length of the range that the window covers. */
  int bytes() {
    return side.remote.roomBytes;
  }

  /** Whether a key belongs to the window at any time: only the lowest 8 bits change with a bind. */
  boolean isKey(int rkey) {
    return (rkey & ~TAG_MASK) == (firstKey & ~TAG_MASK);
  }

  /** Key of the last bind. */
  int key() {
    return key;
  }

  boolean isBound() {
    return state == State.BOUND;
  }

  /** Whether the owner or the peer may post this request in the present state. */
  boolean allows(WorkSpec work) {
    return switch (work.opcode()) {
      case BIND_MW ->
          // A bind that expects an error succeeds if the peer has invalidated the window meanwhile.
          work.error() == InjectedError.BOUND_WINDOW
              ? isBound()
              : state == State.FREE && !side.sends.awaitsBind();
      case LOCAL_INV, SEND_WITH_INV -> state == State.BOUND;
      default -> (isBound() || closing != null) && slot.isFree();
    };
  }

  BindMwWr bind(PendingSend send) {
    WorkSpec work = send.work;
    send.windowKey = nextKey();
    if (work.error() == InjectedError.NONE) {
      state = State.BINDING;
      key = send.windowKey;
    }
    Set<AccessFlag> writable = Set.of(AccessFlag.REMOTE_WRITE);
    MwBindInfo binding = new MwBindInfo(side.remote.region, slot.addr(), bytes(), writable);
    return new BindMwWr(send.wrId, work.flags(), window, send.windowKey, binding);
  }

  private int nextKey() {
    return (firstKey & ~TAG_MASK) | ((key + 1) & TAG_MASK);
  }

  SendWr invalidate(PendingSend send) {
    state = State.CLOSING;
    closing = send;
    return new LocalInvWr(send.wrId, send.work.flags(), key);
  }

  /** Records that the peer posts a send with invalidate. */
  void closingByPeer() {
    state = State.CLOSING;
  }

  /** Whether the window is unbound although a bind was posted to fail on a bound one. */
  boolean isClosed() {
    return state == State.FREE;
  }

  /** Handles the success of a bind or local invalidate. */
  void succeeded(PendingSend send) {
    boolean isBind = send.work.opcode() == WrOpcode.BIND_MW;
    if (isBind) {
      key = send.windowKey;
    }
    state = isBind ? State.BOUND : State.FREE;
    closing = null;
  }

  /** Handles the receipt of a send with invalidate. */
  void closedByPeer(int invalidated) {
    Violation.unless(
        invalidated == key, "%s: key 0x%x was invalidated, not 0x%x", side, invalidated, key);
    state = State.FREE;
  }

  /** Handles RESET, which invalidates the window. */
  void reset() {
    state = State.FREE;
    closing = null;
  }

  /** Whether a write through it may be refused: once sends before the invalidate are done. */
  boolean mayBeClosed() {
    return state == State.FREE
        || (state == State.CLOSING && (closing == null || side.sends.isNext(closing)));
  }
}
