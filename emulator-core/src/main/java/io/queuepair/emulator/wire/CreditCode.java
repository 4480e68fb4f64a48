// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

/** End-to-end credits in an ACK (InfiniBand Architecture, "End-to-End Flow Control Credits"). */
public final class CreditCode {
  /** The sender of this code does not limit its requester. */
  public static final int UNLIMITED = 31;

  private static final int[] RECEIVE_WQES = {
    0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048,
    3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768
  };

  private CreditCode() {}

  /** The receives a code of 0 to 30 stands for. */
  public static int receiveWqes(int code) {
    return RECEIVE_WQES[code];
  }

  /** The largest code that does not promise more receives than there are. */
  public static int largestWithin(int receiveWqes) {
    int code = 0;
    while (code + 1 < RECEIVE_WQES.length && RECEIVE_WQES[code + 1] <= receiveWqes) {
      code++;
    }
    return code;
  }
}
