// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.Locale;

/**
 * A statistic of a port, as Linux keeps them in {@code /sys/class/infiniband/DEVICE/ports/PORT/
 * hw_counters}: those of Soft-RoCE.
 */
public enum HwCounter {
  /** Packets sent. */
  SENT_PKTS,
  /** Packets received whole. */
  RCVD_PKTS,
  /** Requests received again, as responder. */
  DUPLICATE_REQUEST,
  /** Requests ahead of the expected PSN that were answered with a NAK, as responder. */
  OUT_OF_SEQ_REQUEST,
  /** NAKs of receivers that were not ready, received as requester. */
  RCVD_RNR_ERR,
  /** NAKs for want of a receive, sent as responder. */
  SEND_RNR_ERR,
  /** NAKs for a PSN out of sequence, received as requester. */
  RCVD_SEQ_ERR,
  /** Responses that had to wait for earlier ones; none does here. */
  ACK_DEFERRED,
  /** Requests that failed because their retries were used up. */
  RETRY_EXCEEDED_ERR,
  /** Requests that failed because the receiver was never ready. */
  RETRY_RNR_EXCEEDED_ERR,
  /** Times that a requester started again from what was not acknowledged. */
  COMPLETER_RETRY_ERR,
  /** Packets that could not be sent, for a port that was down. */
  SEND_ERR,
  /** Times that the port went down. */
  LINK_DOWNED,
  /** SENDs that have completed, also in error, as requester. */
  RDMA_SENDS,
  /** Receives that have completed with success, as responder. */
  RDMA_RECVS;

  /**
   * The name of the file in Linux.
   *
   * @return for example {@code sent_pkts}
   */
  public String fileName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
