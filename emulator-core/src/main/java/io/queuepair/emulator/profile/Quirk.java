// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.profile;

/**
 * A way in which a device differs from what the documents say. The default device has none; {@link
 * DeviceProfile#softRoce()} has all of them. Each names its source: a recording of Linux 6.1 with
 * rdma-core 44, or the code that explains it.
 */
public enum Quirk {
  /** Only the transitions of Linux exist. */
  LINUX_TRANSITIONS("RESET -> ERR does not exist, CAP is in no transition (qp_state_table)"),

  /** A mask of nothing is looked up too. */
  EMPTY_MASK_CHECKED("an empty mask is looked up as current -> current: EINVAL in RTR (recorded)"),

  /** The caller knows the state better than the device. */
  TRUSTS_CUR_STATE("cur_qp_state replaces the real state in the lookup (recorded; rxe_qp.c)"),

  /** Rate limits are refused before anything else. */
  RATE_LIMIT_UNKNOWN("RATE_LIMIT in a mask gives EOPNOTSUPP whatever else is wrong (recorded)"),

  /** An address vector counts as one with its port. */
  AV_BRINGS_PORT(
      "AV in a mask brings PORT with it, except on the way to RTR: EINVAL for UC in SQD (recorded;"
          + " ib_uverbs)"),

  /** No path migration, though AUTO_PATH_MIG is reported. */
  ALT_PATH_REFUSED("ALT_PATH gives EINVAL on a RoCE port in spite of AUTO_PATH_MIG (recorded)"),

  /** Most values are taken as they come. */
  VALUES_UNCHECKED(
      "any pkey_index, min_rnr_timer, retry_cnt, rnr_retry, dest_qp_num, max_dest_rd_atomic, access"
          + " flags, service level, flow label of an address handle, a path_mtu of 0 or above"
          + " the active one, a multicast dgid"
          + " (recorded)"),

  /** Numbers of READs become powers of two. */
  RD_ATOMIC_ROUNDED("max_rd_atomic and max_dest_rd_atomic become powers of two (recorded)"),

  /** An empty own GID has an errno of its own. */
  EMPTY_GID_ENODATA("an AV with the GID index of an empty slot gives ENODATA (recorded)"),

  /** Only Error ends draining early. */
  DRAINING_HOLDS_RESET("SQD -> RESET gives EINVAL while the send queue drains (recorded)"),

  /** Attributes outlive RESET. */
  RESET_KEEPS_ATTRIBUTES("query_qp shows all attributes after RESET (recorded)"),

  /** A query does not say what was set. */
  QUERY_QP_NORMALIZED(
      "query_qp: cur_qp_state is RESET until CUR_STATE was given, is_global 1, sl 0, hop_limit that"
          + " of the route, path_mtu 1 until PATH_MTU was given, rq_psn of type UD behind the last"
          + " datagram taken (recorded)"),

  /** Queues are larger than asked for. */
  QUEUES_ROUNDED(
      "all queues hold 2^n - 1, of which create_cq, resize_cq, query_qp and query_srq tell;"
          + " max_inline_data and max_send_sge pull each other up, 16 bytes an entry (recorded)"),

  /** Completion queues can do what they always could. */
  NO_CQ_EXTENSIONS(
      "modify_cq gives EOPNOTSUPP; so does create_cq_ex with timestamps or IGNORE_OVERRUN (provider"
          + " of rdma-core 44)"),

  /** The provider leaves out what it may. */
  OPTIONAL_VERBS_MISSING(
      "alloc_td, alloc_parent_domain, create_flow, create_counters, query_port_speed,"
          + " query_rt_values_ex and modify_qp_rate_limit give EOPNOTSUPP (provider of rdma-core"
          + " 44)"),

  /** The device sends and receives no frames that applications make. */
  NO_RAW_PACKETS("queue pairs of type RAW_PACKET are not offered: EOPNOTSUPP (rxe_qp.c)"),

  /** A missing P_Key has the errno of a missing file. */
  QUERY_PKEY_ENOENT("query_pkey of a missing port or slot gives ENOENT (recorded; sysfs)"),

  /** There is no firmware, which still has a version. */
  FIRMWARE_ZERO("fw_ver is 0.0.0 instead of empty (recorded)"),

  /** The GID table has an order of its own. */
  GIDS_BY_KIND("GIDs: link-local, then IPv4, then other IPv6 addresses (recorded)"),

  /** Most asynchronous events of queue pairs are never raised. */
  ASYNC_EVENTS_SUPPRESSED(
      "COMM_EST, QP_LAST_WQE_REACHED, QP_ACCESS_ERR, QP_REQ_ERR and QP_FATAL are never raised"
          + " (recorded)"),

  /** Draining is always an event. */
  SQ_DRAINED_ALWAYS_RAISED(
      "SQ_DRAINED is raised whatever en_sqd_async_notify says, which query_qp shows as 0; a queue"
          + " that has waited for a receiver counts as drained (recorded)"),

  /** Flags where others have none. */
  FLAGS_ON_ALL_COMPLETIONS(
      "receives of connections have the flag GRH, and sends with immediate data WITH_IMM"
          + " (recorded)"),

  /** Completions tell nothing of the headers of a datagram. */
  SL_ZERO("sl of completions is 0, whatever headers a datagram had (rxe_resp.c do_complete)"),

  /** Both queues of a failed queue pair are flushed, the other one first. */
  RECEIVES_FLUSHED_FIRST("in ERR receives are flushed before sends (recorded)"),

  /** Completions are the completion queue's. */
  COMPLETIONS_OUTLIVE_QP(
      "completions of a queue pair stay in the queue after RESET and destroy_qp (recorded)"),

  /** A region that no peer may touch has no key for peers. */
  NO_RKEY_WITHOUT_RIGHT("a region without any remote right has rkey 0 (recorded)"),

  /** Rights that are not offered have another errno. */
  UNKNOWN_ACCESS_EINVAL(
      "reg_mr: ON_DEMAND, FLUSH_GLOBAL and FLUSH_PERSISTENT give EINVAL, ZERO_BASED is ignored"
          + " (recorded)"),

  /** Memory has bytes. */
  NO_EMPTY_REGIONS("reg_mr of no bytes gives EINVAL (recorded)"),

  /** A region is what it was registered as, memory of the application. */
  NO_REREG_MR(
      "rereg_mr gives IBV_REREG_MR_ERR_CMD with EOPNOTSUPP (recorded); alloc_null_mr and advise_mr"
          + " give EOPNOTSUPP (provider of rdma-core 44)"),

  /** A region that a window is bound to is an invalid argument. */
  BOUND_REGIONS_EINVAL("dereg_mr of a region with a bound window gives EINVAL (recorded)"),

  /** Inline reads fail late. */
  INLINE_READS_FAIL_LATE(
      "post_send takes INLINE on reads and atomics; the peer executes them, and they complete with"
          + " LOC_PROT_ERR (recorded)"),

  /** Operations that the type does not have fail late. */
  WRONG_OPERATIONS_FAIL_LATE(
      "post_send takes operations that the type or the device does not have; they complete with"
          + " LOC_QP_OP_ERR (recorded)"),

  /** An invalidation that fails is no matter of windows. */
  FAILED_INVALIDATIONS_LOC_QP_OP_ERR(
      "a LOCAL_INV that fails completes with LOC_QP_OP_ERR, not MW_BIND_ERR (recorded)"),

  /** Linux grants other operations of extended posting. */
  SEND_OPS_OF_LINUX(
      "create_qp_ex grants UC the operation SEND_WITH_INV, which then fails, and not LOCAL_INV"
          + " (provider of rdma-core 44)"),

  /** A full queue has another errno in a batch. */
  BATCHES_ENOSPC(
      "wr_complete gives ENOSPC for a full queue, too many entries and too much inline data"
          + " (recorded; provider of rdma-core 44)"),

  /** The send queue has room again without a poll. */
  SLOTS_FREE_WHEN_DONE(
      "a slot of the send queue is free when its send is done, not only when its completion, or a"
          + " later one, was polled (recorded)"),

  /** The alignment of atomics is checked early, their length only for being enough. */
  ATOMICS_CHECKED_EARLY(
      "post_send refuses atomics on misaligned addresses, and takes local ranges longer than 8"
          + " (recorded)"),

  /** Nothing waits for a port to come up. */
  SENDS_FAIL_PORT_DOWN(
      "a send that is posted while the port is down completes with LOC_QP_OP_ERR (recorded)"),

  /** A datagram that is too long for a packet is not sent. */
  OVERSIZED_UD_DROPPED("a datagram longer than the MTU succeeds and is not sent (recorded)"),

  /** Q_Keys and queue pair numbers of datagrams are taken as they come. */
  UD_ADDRESS_UNCHECKED(
      "the Q_Key of a datagram is sent even with the top bit set, of the queue pair number 24 bits"
          + " count (recorded)"),

  /** The route decides on the header. */
  ROUTE_FILLS_HEADERS(
      "hop limit 64 and flow label 0 in packets, whatever the address vector says (recorded)"),

  /** Checksums are not computed. */
  CHECKSUM_FLAG_IGNORED("post_send takes IP_CSUM for UD too, without effect (rxe_verbs.c)"),

  /** Unreliable connections may share receives. */
  SRQ_FOR_UC("queue pairs of type UC may have a shared receive queue (recorded)"),

  /** The limit of a shared receive queue can be set at once. */
  SRQ_ARMED_AT_CREATION(
      "create_srq takes any srq_limit, and makes of a max_sge of 0 a 1 (recorded)"),

  /** Addresses are resolved. */
  UNRESOLVED_ETIMEDOUT(
      "modify_qp and create_ah give ETIMEDOUT for an address that no device has, over UDP for one"
          + " that the host has no route to (recorded)"),

  /** A responder counts no READs and atomics, unless it may answer none. */
  READS_NEVER_TOO_MANY("with max_dest_rd_atomic above 0 no READ or atomic is refused (recorded)"),

  /** Sends that were posted in SQD need a push. */
  SENDS_HELD_AFTER_SQD(
      "sends posted in SQD start, back in RTS, only with the next post_send (recorded)");

  private final String rule;

  Quirk(String rule) {
    this.rule = rule;
  }

  /** {@return what the device does, and the source in parentheses} */
  public String rule() {
    return rule;
  }
}
