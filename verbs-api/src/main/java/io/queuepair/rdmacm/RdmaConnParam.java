// SPDX-License-Identifier: Apache-2.0
package io.queuepair.rdmacm;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Parameters of a connection, own ones and those of the peer ({@code struct rdma_conn_param}). In
 * an event, resources and depth are as this side sees them: how many READs it answers, and how many
 * it starts.
 *
 * @param privateData bytes for the program of the peer. In an event it is the whole field, zeros at
 *     its end: 56 bytes of a request, 196 of an acceptance, 148 of a rejection. Read-only
 * @param responderResources READs and atomics of the peer that this side answers at one moment, 0
 *     to 255; {@link #MAX} for as many as the device can, and when accepting, as the peer asks for
 * @param initiatorDepth READs and atomics that this side has outstanding, 0 to 255; {@link #MAX}
 *     for as many as the device can, and when accepting, as the peer answers
 * @param flowControl whether hardware flow control is there; of no effect
 * @param retryCount how often a packet without answer is sent again, 0 to 7; ignored when
 *     accepting, and 0 in events other than CONNECT_REQUEST
 * @param rnrRetryCount how often a message is sent again to a receiver that was not ready, 0 to 6;
 *     7 for ever; each side uses that of the other
 * @param srq whether the queue pair has a shared receive queue; of use only without queue pair on
 *     the id
 * @param qpNum number of the queue pair, 24-bit; of use only without queue pair on the id
 */
public record RdmaConnParam(
    ByteBuffer privateData,
    int responderResources,
    int initiatorDepth,
    boolean flowControl,
    int retryCount,
    int rnrRetryCount,
    boolean srq,
    int qpNum) {
  /** As many as the device can ({@code RDMA_MAX_RESP_RES}, {@code RDMA_MAX_INIT_DEPTH}). */
  public static final int MAX = 0xff;

  private static final int MOST_RETRIES = 7;

  /**
   * Copies the private data.
   *
   * @param privateData bytes for the program of the peer, from position to limit
   * @param responderResources READs and atomics of the peer that this side answers at one moment
   * @param initiatorDepth READs and atomics that this side has outstanding
   * @param flowControl whether hardware flow control is there
   * @param retryCount how often a packet without answer is sent again
   * @param rnrRetryCount how often a message is sent again to a receiver that was not ready
   * @param srq whether the queue pair has a shared receive queue
   * @param qpNum number of the queue pair
   */
  public RdmaConnParam {
    privateData = copyOf(privateData);
  }

  /**
   * READs and atomics each way, with retries 7 and 7 and no private data.
   *
   * @param responderResources those of the peer that this side answers at one moment
   * @param initiatorDepth those that this side has outstanding
   * @return the parameters
   */
  public static RdmaConnParam of(int responderResources, int initiatorDepth) {
    return new RdmaConnParam(
        ByteBuffer.allocate(0),
        responderResources,
        initiatorDepth,
        false,
        MOST_RETRIES,
        MOST_RETRIES,
        false,
        0);
  }

  /**
   * A copy with bytes for the program of the peer.
   *
   * @param bytes the bytes; copied now
   * @return new parameters
   */
  public RdmaConnParam withPrivateData(byte[] bytes) {
    return with(ByteBuffer.wrap(Objects.requireNonNull(bytes, "bytes")), retryCount, rnrRetryCount);
  }

  /**
   * A copy with other retries.
   *
   * @param retries without answer, 0 to 7
   * @param rnrRetries for a receiver that was not ready, 0 to 7
   * @return new parameters
   */
  public RdmaConnParam withRetries(int retries, int rnrRetries) {
    return with(privateData, retries, rnrRetries);
  }

  /**
   * A copy for a queue pair that is not on the id.
   *
   * @param number number of the queue pair, 24-bit
   * @param isShared whether it has a shared receive queue
   * @return new parameters
   */
  public RdmaConnParam withQp(int number, boolean isShared) {
    return new RdmaConnParam(
        privateData,
        responderResources,
        initiatorDepth,
        flowControl,
        retryCount,
        rnrRetryCount,
        isShared,
        number);
  }

  private RdmaConnParam with(ByteBuffer bytes, int retries, int rnrRetries) {
    return new RdmaConnParam(
        bytes, responderResources, initiatorDepth, flowControl, retries, rnrRetries, srq, qpNum);
  }

  /** {@return the bytes for the program of the peer, as a read-only view} */
  @Override
  public ByteBuffer privateData() {
    return privateData.duplicate();
  }

  /** Bytes from position to limit, which stay, as a read-only copy. */
  static ByteBuffer copyOf(ByteBuffer bytes) {
    Objects.requireNonNull(bytes, "privateData");
    ByteBuffer copy = ByteBuffer.allocate(bytes.remaining());
    return copy.put(bytes.duplicate()).flip().asReadOnlyBuffer();
  }
}
