// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

/** Local ACK timeout of a QP: 4.096 us times a power of two. */
public final class LocalAckTimeout {
  private static final long UNIT_NANOS = 4096;

  private LocalAckTimeout() {}

  /** Timeout in nanoseconds for a code of 0 to 31; 0 for code 0, which means no timeout. */
  public static long nanos(int code) {
    // Rule timers.ack-timeout-code: Code t of the ACK timeout is 4.096 us times 2^t.
    // Source: ibv_modify_qp(3), timeout
    // Test: CodeTablesTest.ackTimeouts
    assert code >>> 5 == 0 : code;
    return code == 0 ? 0 : UNIT_NANOS << code;
  }
}
