// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.cm;

import java.util.concurrent.TimeUnit;

/** Times of the protocol: exponents in messages, which become milliseconds as in Linux. */
public final class CmTimeouts {
  /** Code of the time that either side may take to answer ({@code CMA_CM_RESPONSE_TIMEOUT}). */
  public static final int CM_RESPONSE_TIMEOUT = 20;

  /** Maximum number of retransmissions of a message ({@code CMA_MAX_CM_RETRIES}). */
  public static final int MAX_CM_RETRIES = 15;

  /** Code of the packet lifetime over RoCE ({@code CMA_IBOE_PACKET_LIFETIME}). */
  public static final int PACKET_LIFETIME = 16;

  /** Code of the additional time that an MRA asks for ({@code CMA_CM_MRA_SETTING}). */
  public static final int MRA_SERVICE_TIMEOUT = 24;

  /** Longest packet lifetime of a peer: CMA_IBOE_PACKET_LIFETIME was 18 in older Linux. */
  private static final int LONGEST_PACKET_LIFETIME = 18;

  /** Time after which a peer that got no answer asks again. */
  static final long FIRST_RETRY_NANOS = reqNanos(CM_RESPONSE_TIMEOUT, LONGEST_PACKET_LIFETIME);

  /** Time for which an answer is remembered: as long as a peer may repeat its request. */
  static final long REMEMBERED_NANOS =
      (MAX_CM_RETRIES + 1) * FIRST_RETRY_NANOS
          + mraNanos(MRA_SERVICE_TIMEOUT, LONGEST_PACKET_LIFETIME);

  public static final int LARGEST_CODE = 31;

  /** Code that counts as one millisecond: 2 to this power times 4.096 us is about that. */
  private static final int CODE_OF_ONE_MILLISECOND = 8;

  private CmTimeouts() {}

  /** Time in nanoseconds of a code of five bits. */
  public static long nanosOf(int code) {
    return TimeUnit.MILLISECONDS.toNanos(1L << Math.max(code - CODE_OF_ONE_MILLISECOND, 0));
  }

  /** Nanoseconds that the sender of a REQ waits: response time of the peer, and both ways. */
  public static long reqNanos(int remoteCmResponseTimeout, int packetLifetime) {
    return 2 * nanosOf(packetLifetime) + nanosOf(remoteCmResponseTimeout);
  }

  /** Time in nanoseconds that the receiver of an MRA waits ({@code cm_mra_handler}). */
  static long mraNanos(int serviceTimeout, int packetLifetime) {
    return nanosOf(serviceTimeout) + nanosOf(packetLifetime + 1);
  }

  /** Code of the local ACK timeout, from the codes of the ACK delay and the packet lifetime. */
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
