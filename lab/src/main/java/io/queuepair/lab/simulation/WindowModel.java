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

/**
 * A memory window of type 2 through which the peer of one queue pair may write to one slot: whether
 * it is open, as far as the program knows.
 */
final class WindowModel {
  private static final int TAG_MASK = 0xff;

  final SimulatedQp side;
  private final MemoryWindow window;

  final GuardedBuffer slot;

  /** The key before the first bind. */
  final int firstKey;

  private State state = State.FREE;
  private int key;

  /** Send that closes it, if it was posted here; otherwise null. */
  private PendingSend closing;

  private enum State {
    /** Never bound, or invalidated. */
    FREE,
    /** A bind is posted. */
    BINDING,
    BOUND,
    /** Being invalidated from here or by the peer. */
    CLOSING
  }

  WindowModel(SimulatedQp side) {
    this.side = side;
    window = side.host.pd.allocMw(MwType.TYPE_2);
    slot = side.remote.reserve();
    firstKey = window.rkey();
    key = firstKey;
  }

  /** How much it opens. */
  int bytes() {
    return side.remote.roomBytes;
  }

  /** Whether it has, has had, or may have a key: all have the upper bits in common. */
  boolean isKey(int rkey) {
    return (rkey & ~TAG_MASK) == (firstKey & ~TAG_MASK);
  }

  /** The key of the last bind. */
  int key() {
    return key;
  }

  boolean isBound() {
    return state == State.BOUND;
  }

  /** Whether a request of its owner or of the peer makes sense now. */
  boolean allows(WorkSpec work) {
    return switch (work.opcode()) {
      case BIND_MW ->
          // One that was to find it open opens it, if the peer has closed it meanwhile.
          work.error() == InjectedError.BOUND_WINDOW
              ? isBound()
              : state == State.FREE && !side.sends.awaitsBind();
      case LOCAL_INV, SEND_WITH_INV -> state == State.BOUND;
      default -> (isBound() || closing != null) && slot.isFree();
    };
  }

  /** Opens it with the next key. */
  BindMwWr bind(PendingSend sent) {
    WorkSpec work = sent.work;
    sent.windowKey = nextKey();
    if (work.error() == InjectedError.NONE) {
      state = State.BINDING;
      key = sent.windowKey;
    }
    Set<AccessFlag> writable = Set.of(AccessFlag.REMOTE_WRITE);
    MwBindInfo binding = new MwBindInfo(side.remote.region, slot.addr(), bytes(), writable);
    return new BindMwWr(sent.wrId, work.flags(), window, sent.windowKey, binding);
  }

  private int nextKey() {
    return (firstKey & ~TAG_MASK) | ((key + 1) & TAG_MASK);
  }

  /** Closes it from here. */
  SendWr invalidate(PendingSend sent) {
    state = State.CLOSING;
    closing = sent;
    return new LocalInvWr(sent.wrId, sent.work.flags(), key);
  }

  /** Closes it with a message of the peer. */
  void closingByPeer() {
    state = State.CLOSING;
  }

  /** Whether the peer has closed it since a bind was posted that was to find it open. */
  boolean isClosed() {
    return state == State.FREE;
  }

  /** A request of its owner has succeeded. */
  void succeeded(PendingSend sent) {
    boolean isBind = sent.work.opcode() == WrOpcode.BIND_MW;
    if (isBind) {
      key = sent.windowKey;
    }
    state = isBind ? State.BOUND : State.FREE;
    closing = null;
  }

  /** The message that closes it has been received. */
  void closedByPeer(int invalidated) {
    Violation.unless(
        invalidated == key, "%s: key 0x%x was invalidated, not 0x%x", side, invalidated, key);
    state = State.FREE;
  }

  /** RESET closes the window. */
  void reset() {
    state = State.FREE;
    closing = null;
  }

  /** Whether an access may be refused: it is closed only when all sends before are complete. */
  boolean mayBeClosed() {
    return state == State.FREE
        || (state == State.CLOSING && (closing == null || side.sends.isNext(closing)));
  }
}
