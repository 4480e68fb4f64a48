// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.cm;

import io.queuepair.emulator.wire.CmMessage;
import io.queuepair.emulator.wire.ImmutableBytes;
import io.queuepair.emulator.wire.RejectReason;
import org.jspecify.annotations.Nullable;

/** Listeners of the layer above, asked for each new request. Methods must not call the engine. */
public interface CmServices {
  /** Listener that takes a REQ or a SIDR_REQ, or the reason to refuse it. */
  Admission admit(CmPeer from, CmMessage request);

  /** Called when a REQ is refused. */
  default void refused(CmPeer from, CmMessage req, RejectReason reason) {}

  /** Called when an id leaves TIMEWAIT early, as too many ids are timed by their peers. */
  default void displaced(CmPeer peer) {}

  /**
   * Admission of a request.
   *
   * @param listener listener that takes it; null if it is refused
   * @param rejectReason reason of the refusal; null if it is taken
   * @param information additional reject information
   */
  record Admission(
      @Nullable CmListener listener,
      @Nullable RejectReason rejectReason,
      ImmutableBytes information) {
    public static Admission by(@Nullable CmListener listener) {
      return new Admission(listener, null, ImmutableBytes.EMPTY);
    }

    public static Admission refused(RejectReason reason) {
      return new Admission(null, reason, ImmutableBytes.EMPTY);
    }

    /**
     * Refusal of a REQ whose path MTU is too large.
     *
     * @param code largest code of a path MTU that this host accepts
     */
    public static Admission ofSmallerMtu(int code) {
      return new Admission(
          null, RejectReason.INVALID_MTU, ImmutableBytes.of(new byte[] {(byte) code}));
    }
  }
}
