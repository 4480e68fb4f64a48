package io.queuepair.tools.workload;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.BindMw;
import io.queuepair.verbs.LocalInv;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.MwBinding;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WrOpcode;
import java.util.Set;

/**
 * A memory window of type 2 through which the peer of one queue pair may write to one slot: whether
 * it is open, as far as the program knows.
 */
final class WindowModel {
  /** What it opens. */
  static final int BYTES = Arena.ROOM;

  private static final int TAG_MASK = 0xff;

  private final Side side;
  private final MemoryWindow window;
  private final Slot slot;
  private final int firstKey;
  private State state = State.FREE;
  private int key;

  /** What closes it, if that was posted here; otherwise null. */
  private Sent closing;

  private enum State {
    /** Never bound, or invalidated. */
    FREE,
    /** A bind is posted. */
    BINDING,
    /** Open. */
    BOUND,
    /** Being invalidated from here or by the peer. */
    CLOSING
  }

  WindowModel(Side side) {
    this.side = side;
    window = side.host().pd().allocMw(MwType.TYPE_2);
    slot = side.remote().reserve();
    firstKey = window.rkey();
    key = firstKey;
  }

  /** Whose it is. */
  Side side() {
    return side;
  }

  /** The slot that it opens. */
  Slot slot() {
    return slot;
  }

  /** Whether it has, has had, or may have a key: all have the upper bits in common. */
  boolean isKey(int rkey) {
    return (rkey & ~TAG_MASK) == (firstKey & ~TAG_MASK);
  }

  /** The key of the last bind. */
  int key() {
    return key;
  }

  /** The key before the first bind. */
  int firstKey() {
    return firstKey;
  }

  MemoryWindow window() {
    return window;
  }

  boolean isBound() {
    return state == State.BOUND;
  }

  /** Whether a request of its owner or of the peer makes sense now. */
  boolean allows(Work work) {
    return switch (work.opcode()) {
      case BIND_MW -> state == (work.flaw() == Flaw.BOUND_WINDOW ? State.BOUND : State.FREE);
      case LOCAL_INV, SEND_WITH_INV -> state == State.BOUND;
      default -> (isBound() || closing != null) && slot.isFree();
    };
  }

  /** Opens it with the next key. */
  BindMw bind(long wrId, Work work) {
    int next = (firstKey & ~TAG_MASK) | ((key + 1) & TAG_MASK);
    if (work.flaw() == Flaw.NONE) {
      state = State.BINDING;
      key = next;
    }
    Set<AccessFlag> writable = Set.of(AccessFlag.REMOTE_WRITE);
    MwBinding binding = new MwBinding(side.remote().region(), slot.addr(), BYTES, writable);
    return new BindMw(wrId, work.flags(), window, next, binding);
  }

  /** Closes it from here. */
  SendWr invalidate(Sent sent) {
    state = State.CLOSING;
    closing = sent;
    return new LocalInv(sent.wrId(), sent.work().flags(), key);
  }

  /** The peer closes it with a message. */
  void closingByPeer() {
    state = State.CLOSING;
  }

  /** A request of its owner has succeeded. */
  void succeeded(Work work) {
    state = work.opcode() == WrOpcode.BIND_MW ? State.BOUND : State.FREE;
    closing = null;
  }

  /** The message that closes it has been received. */
  void closedByPeer(int invalidated) {
    Violation.unless(
        invalidated == key, "%s: key 0x%x was invalidated, not 0x%x", side, invalidated, key);
    state = State.FREE;
  }

  /** RESET closes it. */
  void reset() {
    state = State.FREE;
    closing = null;
  }

  /** Whether an access may be refused: it is closed only when all sends before are complete. */
  boolean mayBeClosed() {
    return state == State.FREE
        || (state == State.CLOSING && (closing == null || side.sends().isNext(closing)));
  }
}
