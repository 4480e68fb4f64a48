// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

/** A send that was posted: what must come of it. */
final class PendingSend {
  final long wrId;
  final WorkSpec work;

  /** Payload of the request or response. */
  final byte[] data;

  /** Memory here that it fills or reads, or null. */
  GuardedBuffer local;

  /** Memory at the peer that it fills, or null. */
  GuardedBuffer remote;

  /** The window of the peer that it goes through or closes, or null. */
  WindowModel window;

  /** The key of that window when this was posted; of a bind, the key that it gives. */
  int windowKey;

  /** Operand of an atomic, or null. */
  AtomicWord word;

  SharedCounter tally;

  /** Whether the peer has completed the receive that it takes. */
  boolean isReceived;

  PendingSend(long wrId, WorkSpec work, byte[] data) {
    this.wrId = wrId;
    this.work = work;
    this.data = data;
  }

  /** Whether it is refused though nothing is wrong with it: the window may be closed again. */
  boolean mayFindWindowClosed() {
    return window != null && (windowKey != window.key() || window.mayBeClosed());
  }

  @Override
  public String toString() {
    return "send " + wrId + " (" + work.opcode() + ", " + work.bytes() + " bytes)";
  }
}
