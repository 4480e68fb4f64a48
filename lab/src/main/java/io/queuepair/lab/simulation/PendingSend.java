// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

/** Posted send and its expected effects. */
final class PendingSend {
  final long wrId;
  final WorkSpec work;

  /** Payload of the request or response. */
  final byte[] data;

  /** Local memory that the send fills or reads; null if there is none. */
  GuardedBuffer local;

  /** Memory of the peer that the send fills; null if there is none. */
  GuardedBuffer remote;

  /** Window of the peer that the send uses or invalidates; null if there is none. */
  WindowModel window;

  /** Key of the window when the send was posted; for a bind, the new key. */
  int windowKey;

  /** Target of an atomic; null for other sends. */
  AtomicWord word;

  SharedCounter counter;

  /** Whether the peer has completed the receive that this send consumes. */
  boolean isReceived;

  PendingSend(long wrId, WorkSpec work, byte[] data) {
    this.wrId = wrId;
    this.work = work;
    this.data = data;
  }

  /** Whether the send may be refused, as its window may be invalidated meanwhile. */
  boolean mayFindWindowClosed() {
    return window != null && (windowKey != window.key() || window.mayBeClosed());
  }

  @Override
  public String toString() {
    return "send " + wrId + " (" + work.opcode() + ", " + work.bytes() + " bytes)";
  }
}
