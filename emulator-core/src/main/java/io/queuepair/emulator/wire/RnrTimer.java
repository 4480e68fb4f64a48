// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

/** Table of RNR timer codes (InfiniBand Architecture, "Encoding for RNR NAK Timer Field"). */
public final class RnrTimer {
  private static final long UNIT_NANOS = 10_000;

  private static final int[] UNITS = {
    65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536,
    2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152
  };

  private RnrTimer() {}

  /** Minimum time in nanoseconds that a requester waits before a retry, for a code of 0 to 31. */
  public static long nanos(int code) {
    // Rule timers.rnr-code: The table of RNR timer codes, 0.01 to 655.36 ms.
    // Source: IBTA vol. 1, Encoding for RNR NAK Timer Field; rxe_comp.c rnrnak_usec
    // Test: CodeTablesTest.rnrTimers
    return UNITS[code] * UNIT_NANOS;
  }
}
