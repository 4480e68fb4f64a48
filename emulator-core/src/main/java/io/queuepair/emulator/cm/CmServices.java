// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.cm;

import io.queuepair.emulator.wire.CmMessage;
import io.queuepair.emulator.wire.ImmutableBytes;
import io.queuepair.emulator.wire.RejectReason;
import org.jspecify.annotations.Nullable;

/** Listeners, as the layer above knows them. Asked for each new request; must not call back. */
public interface CmServices {
  /** Listener that takes a REQ or a SIDR_REQ, or why it is refused. */
  Admission admit(CmPeer from, CmMessage request);

  /** A request for a connection was refused. */
  default void refused(CmPeer from, CmMessage req, RejectReason reason) {}

  /** An end gave way to later ones, as too many last as long as their peers have said. */
  default void displaced(CmPeer peer) {}

  /**
   * Admission of a request.
   *
   * @param listener who takes it; null if it is refused
   * @param rejectReason why; null if it is taken
   * @param information what more the peer may want to know of the refusal
   */
  record Admission(
      @Nullable CmListener listener,
      @Nullable RejectReason rejectReason,
      ImmutableBytes information) {
    /** A listener takes it. */
    public static Admission by(@Nullable CmListener listener) {
      return new Admission(listener, null, ImmutableBytes.EMPTY);
    }

    /** It is refused. */
    public static Admission refused(RejectReason reason) {
      return new Admission(null, reason, ImmutableBytes.EMPTY);
    }

    /** Its path MTU is too large. */
    public static Admission ofSmallerMtu(int code) {
      return new Admission(
          null, RejectReason.INVALID_MTU, ImmutableBytes.of(new byte[] {(byte) code}));
    }
  }
}
