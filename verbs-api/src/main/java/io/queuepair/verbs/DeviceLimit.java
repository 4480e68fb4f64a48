// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.Locale;

/**
 * A limit of a device: one number of {@code struct ibv_device_attr}, in the order in which {@code
 * ibv_devinfo -v} prints them.
 */
public enum DeviceLimit {
  /** Bytes of the largest memory region. */
  MAX_MR_SIZE,
  /** Supported page sizes, a bit mask. */
  PAGE_SIZE_CAP,
  /** Queue pairs. */
  MAX_QP,
  /** Work requests outstanding in one queue of a queue pair. */
  MAX_QP_WR,
  /** Scatter/gather entries of a work request. */
  MAX_SGE,
  /** Scatter/gather entries of an RDMA READ. */
  MAX_SGE_RD,
  /** Completion queues. */
  MAX_CQ,
  /** Entries of one completion queue. */
  MAX_CQE,
  /** Memory regions. */
  MAX_MR,
  /** Protection domains. */
  MAX_PD,
  /** READs and atomics outstanding as responder, for one queue pair. */
  MAX_QP_RD_ATOM,
  /** READs and atomics of an end-to-end context. */
  MAX_EE_RD_ATOM,
  /** READs and atomics outstanding as responder, for the whole device. */
  MAX_RES_RD_ATOM,
  /** READs and atomics outstanding as requester, for one queue pair. */
  MAX_QP_INIT_RD_ATOM,
  /** READs and atomics of an end-to-end context. */
  MAX_EE_INIT_RD_ATOM,
  /** End-to-end contexts. */
  MAX_EE,
  /** Reliable datagram domains. */
  MAX_RDD,
  /** Memory windows. */
  MAX_MW,
  /** Raw IPv6 queue pairs. */
  MAX_RAW_IPV6_QP,
  /** Raw Ethertype queue pairs. */
  MAX_RAW_ETHY_QP,
  /** Multicast groups. */
  MAX_MCAST_GRP,
  /** Queue pairs attached to one multicast group. */
  MAX_MCAST_QP_ATTACH,
  /** Queue pairs attached to all multicast groups. */
  MAX_TOTAL_MCAST_QP_ATTACH,
  /** Address handles. */
  MAX_AH,
  /** Fast memory regions. */
  MAX_FMR,
  /** Shared receive queues. */
  MAX_SRQ,
  /** Work requests of one shared receive queue. */
  MAX_SRQ_WR,
  /** Scatter/gather entries of a shared receive. */
  MAX_SRQ_SGE,
  /** Partitions. */
  MAX_PKEYS,
  /** Delay of the local channel adapter before it acknowledges, as a timeout code. */
  LOCAL_CA_ACK_DELAY;

  /**
   * The name of the field in C.
   *
   * @return for example {@code max_qp_wr}
   */
  public String fieldName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
