package io.queuepair.tools.workload;

/** A send that was posted: what must come of it. */
final class Sent {
  private final long wrId;
  private final Work work;

  /** What it carries there or back. */
  private final byte[] data;

  /** Memory here that it fills or reads, or null. */
  Slot local;

  /** Memory at the peer that it fills, or null. */
  Slot remote;

  /** The window of the peer that it goes through or closes, or null. */
  WindowModel window;

  /** What an atomic works on, or null. */
  Word word;

  Tally tally;

  /** Whether the peer has completed the receive that it takes. */
  boolean isReceived;

  Sent(long wrId, Work work, byte[] data) {
    this.wrId = wrId;
    this.work = work;
    this.data = data;
  }

  /** Whether it is refused though nothing is wrong with it: the window may be closed again. */
  boolean mayFindWindowClosed() {
    return window != null && window.mayBeClosed();
  }

  long wrId() {
    return wrId;
  }

  Work work() {
    return work;
  }

  byte[] data() {
    return data;
  }

  @Override
  public String toString() {
    return "send " + wrId + " (" + work.opcode() + ", " + work.bytes() + " bytes)";
  }
}
