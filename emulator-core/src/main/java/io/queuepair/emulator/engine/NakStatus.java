// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.queue.WorkError;
import io.queuepair.emulator.wire.NakCode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.verbs.WcStatus;
import org.jspecify.annotations.Nullable;

/** Maps a fatal NAK of the peer to the error of the send. */
final class NakStatus {
  private NakStatus() {}

  /**
   * Error of the send that a NAK refuses.
   *
   * @param reason why the peer refused it, or null if unknown
   */
  static WorkError of(Packet nak, @Nullable String reason) {
    NakCode code = nak.aeth().nakCode();
    String said =
        "the peer answered PSN "
            + nak.psn()
            + String.format(" with NAK 0x%02x, ", nak.aeth().syndrome())
            + meaningOf(code);
    String why = reason == null ? "; it does not say why" : "; its reason: " + reason;
    return new WorkError(statusOf(code), said + why);
  }

  /** Completion status of a fatal NAK; a reserved code counts as a remote operational error. */
  private static WcStatus statusOf(@Nullable NakCode code) {
    if (code == null) {
      return WcStatus.REM_OP_ERR;
    }
    return switch (code) {
      case INVALID_REQUEST -> WcStatus.REM_INV_REQ_ERR;
      case REMOTE_ACCESS_ERROR -> WcStatus.REM_ACCESS_ERR;
      case REMOTE_OPERATIONAL_ERROR -> WcStatus.REM_OP_ERR;
      case INVALID_RD_REQUEST -> WcStatus.REM_INV_RD_REQ_ERR;
      case PSN_SEQUENCE_ERROR -> throw new AssertionError("a sequence NAK is not fatal");
    };
  }

  private static String meaningOf(@Nullable NakCode code) {
    if (code == null) {
      return "a reserved code, which counts as a remote operational error";
    }
    return switch (code) {
      case INVALID_REQUEST ->
          "invalid request: an operation it does not allow, or a message that does not fit";
      case REMOTE_ACCESS_ERROR ->
          "remote access error: key, protection domain, right or range of its memory";
      case REMOTE_OPERATIONAL_ERROR ->
          "remote operational error: trouble of its own, such as the memory of its receive";
      case INVALID_RD_REQUEST -> "invalid RD request, which a reliable connection has no use for";
      case PSN_SEQUENCE_ERROR -> throw new AssertionError("a sequence NAK is not fatal");
    };
  }
}
