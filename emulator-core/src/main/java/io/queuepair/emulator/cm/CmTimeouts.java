// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.cm;

import java.util.concurrent.TimeUnit;

/** The times of the protocol, which travel as exponents, as Linux turns them into milliseconds. */
public final class CmTimeouts {
  /** How long the peer, and this side, may take to answer ({@code CMA_CM_RESPONSE_TIMEOUT}). */
  public static final int CM_RESPONSE_TIMEOUT = 20;

  /** How often a message is sent again ({@code CMA_MAX_CM_RETRIES}). */
  public static final int MAX_CM_RETRIES = 15;

  /** How long a packet may be on its way over RoCE ({@code CMA_IBOE_PACKET_LIFETIME}). */
  public static final int PACKET_LIFETIME = 16;

  /** How much longer an MRA says that an answer may take ({@code CMA_CM_MRA_SETTING}). */
  public static final int MRA_SERVICE_TIMEOUT = 24;

  /** Value that older versions of Linux take for {@link #PACKET_LIFETIME}. */
  private static final int LONGEST_PACKET_LIFETIME = 18;

  /** After how long a peer that got no answer asks again. */
  static final long FIRST_RETRY_NANOS = reqNanos(CM_RESPONSE_TIMEOUT, LONGEST_PACKET_LIFETIME);

  /**
   * How long a peer may repeat a request, whose answer is remembered meanwhile: all its retries,
   * after an MRA.
   */
  static final long REMEMBERED_NANOS =
      (MAX_CM_RETRIES + 1) * FIRST_RETRY_NANOS
          + mraNanos(MRA_SERVICE_TIMEOUT, LONGEST_PACKET_LIFETIME);

  /** The largest code of five bits. */
  public static final int LARGEST_CODE = 31;

  /** 2 to this power times 4.096 microseconds is taken for one millisecond. */
  private static final int CODE_OF_ONE_MILLISECOND = 8;

  private CmTimeouts() {}

  /** The time of a code of five bits. */
  public static long nanosOf(int code) {
    return TimeUnit.MILLISECONDS.toNanos(1L << Math.max(code - CODE_OF_ONE_MILLISECOND, 0));
  }

  /** How long the sender of a REQ waits for an answer: there, the peer's time, and back. */
  public static long reqNanos(int remoteCmResponseTimeout, int packetLifetime) {
    return 2 * nanosOf(packetLifetime) + nanosOf(remoteCmResponseTimeout);
  }

  /**
   * How long who gets an MRA waits after it ({@code cm_mra_handler}): the time that it says, and
   * the time of {@code av.timeout}, which is one more than the packet lifetime.
   */
  static long mraNanos(int serviceTimeout, int packetLifetime) {
    return nanosOf(serviceTimeout) + nanosOf(packetLifetime + 1);
  }

  /** The local ACK timeout of a queue pair whose acknowledgements take so long at the peer. */
  public static int ackTimeout(int caAckDelay, int packetLifetime) {
    int timeout = packetLifetime + 1;
    if (timeout >= caAckDelay) {
      timeout += caAckDelay >= timeout - 1 ? 1 : 0;
    } else {
      timeout = caAckDelay + (timeout >= caAckDelay - 1 ? 1 : 0);
    }
    return Math.min(timeout, LARGEST_CODE);
  }
}
