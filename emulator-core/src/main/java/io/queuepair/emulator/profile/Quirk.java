// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.profile;

/**
 * A way in which a device differs from what the documents say. The default device has none; {@link
 * DeviceProfile#softRoce()} has all of them. Each names its source: a recording of Linux 6.1 with
 * rdma-core 44, or the code that explains it.
 */
public enum Quirk {
  /** Queue pairs have the transitions of Linux only. */
  LINUX_TRANSITIONS("RESET -> ERR does not exist, CAP is in no transition (qp_state_table)"),

  /** An empty attribute mask is checked as a transition, too. */
  EMPTY_MASK_CHECKED("an empty mask is looked up as current -> current: EINVAL in RTR (recorded)"),

  /** The device trusts cur_qp_state of the caller. */
  TRUSTS_CUR_STATE("cur_qp_state replaces the real state in the lookup (recorded; rxe_qp.c)"),

  /** Rate limits are refused before anything else. */
  RATE_LIMIT_UNKNOWN("RATE_LIMIT in a mask gives EOPNOTSUPP whatever else is wrong (recorded)"),

  /** AV in an attribute mask implies PORT. */
  AV_BRINGS_PORT(
      "AV in a mask brings PORT with it, except on the way to RTR: EINVAL for UC in SQD (recorded;"
          + " ib_uverbs)"),

  /** No path migration, though AUTO_PATH_MIG is reported. */
  ALT_PATH_REFUSED("ALT_PATH gives EINVAL on a RoCE port in spite of AUTO_PATH_MIG (recorded)"),

  /** Most values of attributes are not checked. */
  VALUES_UNCHECKED(
      "any pkey_index, min_rnr_timer, retry_cnt, rnr_retry, dest_qp_num, max_dest_rd_atomic, access"
          + " flags, service level, flow label of an address handle, a path_mtu of 0 or above"
          + " the active one, a multicast dgid"
          + " (recorded)"),

  /** Numbers of outstanding READs and atomics are rounded to powers of two. */
  RD_ATOMIC_ROUNDED("max_rd_atomic and max_dest_rd_atomic become powers of two (recorded)"),

  /** An empty source GID gives ENODATA. */
  EMPTY_GID_ENODATA("an AV with the GID index of an empty slot gives ENODATA (recorded)"),

  /** A draining queue pair cannot be reset. */
  DRAINING_HOLDS_RESET("SQD -> RESET gives EINVAL while the send queue drains (recorded)"),

  /** Attributes are kept in RESET. */
  RESET_KEEPS_ATTRIBUTES("query_qp shows all attributes after RESET (recorded)"),

  /** A query of a queue pair returns other values than were set. */
  QUERY_QP_NORMALIZED(
      "query_qp: cur_qp_state is RESET until CUR_STATE was given, is_global 1, sl 0, hop_limit that"
          + " of the route, path_mtu 1 until PATH_MTU was given, rq_psn of type UD behind the last"
          + " datagram taken (recorded)"),

  /** Queues are larger than asked for. */
  QUEUES_ROUNDED(
      "all queues hold 2^n - 1, of which create_cq, resize_cq, query_qp and query_srq tell;"
          + " max_inline_data and max_send_sge pull each other up, 16 bytes an entry (recorded)"),

  /** Completion queues have no extended features. */
  NO_CQ_EXTENSIONS(
      "modify_cq gives EOPNOTSUPP; so does create_cq_ex with timestamps or IGNORE_OVERRUN (provider"
          + " of rdma-core 44)"),

  /** The provider lacks optional verbs. */
  OPTIONAL_VERBS_MISSING(
      "alloc_td, alloc_parent_domain, create_flow, create_counters, query_port_speed,"
          + " query_rt_values_ex and modify_qp_rate_limit give EOPNOTSUPP (provider of rdma-core"
          + " 44)"),

  /** Queue pairs of type RAW_PACKET are not offered. */
  NO_RAW_PACKETS("queue pairs of type RAW_PACKET are not offered: EOPNOTSUPP (rxe_qp.c)"),

  /** A missing P_Key gives ENOENT, as a missing file does. */
  QUERY_PKEY_ENOENT("query_pkey of a missing port or slot gives ENOENT (recorded; sysfs)"),

  /** The version of the firmware is 0.0.0, though there is none. */
  FIRMWARE_ZERO("fw_ver is 0.0.0 instead of empty (recorded)"),

  /** The GID table is ordered by kind of address. */
  GIDS_BY_KIND("GIDs: link-local, then IPv4, then other IPv6 addresses (recorded)"),

  /** Most asynchronous events of queue pairs are never raised. */
  ASYNC_EVENTS_SUPPRESSED(
      "COMM_EST, QP_LAST_WQE_REACHED, QP_ACCESS_ERR, QP_REQ_ERR and QP_FATAL are never raised"
          + " (recorded)"),

  /** SQ_DRAINED is always raised. */
  SQ_DRAINED_ALWAYS_RAISED(
      "SQ_DRAINED is raised whatever en_sqd_async_notify says, which query_qp shows as 0; a queue"
          + " that has waited for a receiver counts as drained (recorded)"),

  /** Completions have flags where other devices set none. */
  FLAGS_ON_ALL_COMPLETIONS(
      "receives of connections have the flag GRH, and sends with immediate data WITH_IMM"
          + " (recorded)"),

  /** Arming raises no event for completions since the last poll of a program that polls itself. */
  MISSED_COMPLETIONS_UNANNOUNCED(
      "req_notify_cq counts what is added from then on only, where doorbells of adapters carry what"
          + " was polled (rxe_verbs.c rxe_req_notify_cq)"),

  /** Completions do not report the service level. */
  SL_ZERO("sl of completions is 0, whatever headers a datagram had (rxe_resp.c do_complete)"),

  /** A failed queue pair flushes its receive queue first. */
  RECEIVES_FLUSHED_FIRST("in ERR receives are flushed before sends (recorded)"),

  /** Completions of a queue pair are kept after its RESET or destruction. */
  COMPLETIONS_OUTLIVE_QP(
      "completions of a queue pair stay in the queue after RESET and destroy_qp (recorded)"),

  /** A region without remote rights has no rkey. */
  NO_RKEY_WITHOUT_RIGHT("a region without any remote right has rkey 0 (recorded)"),

  /** Access flags that are not offered give another errno or none. */
  UNKNOWN_ACCESS_EINVAL(
      "reg_mr: ON_DEMAND, FLUSH_GLOBAL and FLUSH_PERSISTENT give EINVAL, ZERO_BASED is ignored"
          + " (recorded)"),

  /** Regions of 0 bytes are refused. */
  NO_EMPTY_REGIONS("reg_mr of no bytes gives EINVAL (recorded)"),

  /** Regions cannot be registered again, and null regions are not offered. */
  NO_REREG_MR(
      "rereg_mr gives IBV_REREG_MR_ERR_CMD with EOPNOTSUPP (recorded); alloc_null_mr and advise_mr"
          + " give EOPNOTSUPP (provider of rdma-core 44)"),

  /** Deregistering a region with a bound window gives EINVAL. */
  BOUND_REGIONS_EINVAL("dereg_mr of a region with a bound window gives EINVAL (recorded)"),

  /** INLINE on READs and atomics fails in the completion instead of in the post. */
  INLINE_READS_FAIL_LATE(
      "post_send takes INLINE on reads and atomics; the peer executes them, and they complete with"
          + " LOC_PROT_ERR (recorded)"),

  /** Operations that the type does not have fail in the completion instead of in the post. */
  WRONG_OPERATIONS_FAIL_LATE(
      "post_send takes operations that the type or the device does not have; they complete with"
          + " LOC_QP_OP_ERR (recorded)"),

  /** A failed LOCAL_INV completes with LOC_QP_OP_ERR. */
  FAILED_INVALIDATIONS_LOC_QP_OP_ERR(
      "a LOCAL_INV that fails completes with LOC_QP_OP_ERR, not MW_BIND_ERR (recorded)"),

  /** Extended posting offers UC the operations of Linux. */
  SEND_OPS_OF_LINUX(
      "create_qp_ex grants UC the operation SEND_WITH_INV, which then fails, and not LOCAL_INV"
          + " (provider of rdma-core 44)"),

  /** A full queue gives ENOSPC in extended posting. */
  BATCHES_ENOSPC(
      "wr_complete gives ENOSPC for a full queue, too many entries and too much inline data"
          + " (recorded; provider of rdma-core 44)"),

  /** The send queue has room again without a poll. */
  SLOTS_FREE_WHEN_DONE(
      "a slot of the send queue is free when its send is done, not only when its completion, or a"
          + " later one, was polled (recorded)"),

  /** Alignment of atomics is checked in the post, and too long local ranges are accepted. */
  ATOMICS_CHECKED_EARLY(
      "post_send refuses atomics on misaligned addresses, and takes local ranges longer than 8"
          + " (recorded)"),

  /** Sends do not wait for a port to come up. */
  SENDS_FAIL_PORT_DOWN(
      "a send that is posted while the port is down completes with LOC_QP_OP_ERR (recorded)"),

  /** A datagram that is too long for a packet is not sent. */
  OVERSIZED_UD_DROPPED("a datagram longer than the MTU succeeds and is not sent (recorded)"),

  /** Q_Keys and queue pair numbers of datagrams are not checked. */
  UD_ADDRESS_UNCHECKED(
      "the Q_Key of a datagram is sent even with the top bit set, of the queue pair number 24 bits"
          + " count (recorded)"),

  /** Hop limit and flow label do not follow the address vector. */
  ROUTE_FILLS_HEADERS(
      "hop limit 64 and flow label 0 in packets, whatever the address vector says (recorded)"),

  /** The flag IP_CSUM is accepted without effect. */
  CHECKSUM_FLAG_IGNORED("post_send takes IP_CSUM for UD too, without effect (rxe_verbs.c)"),

  /** Queue pairs of type UC may have a shared receive queue. */
  SRQ_FOR_UC("queue pairs of type UC may have a shared receive queue (recorded)"),

  /** The limit of a shared receive queue can be set at its creation. */
  SRQ_ARMED_AT_CREATION(
      "create_srq takes any srq_limit, and makes of a max_sge of 0 a 1 (recorded)"),

  /** Addresses are resolved, and unknown ones give ETIMEDOUT. */
  UNRESOLVED_ETIMEDOUT(
      "modify_qp and create_ah give ETIMEDOUT for an address that no device has, over UDP for one"
          + " that the host has no route to (recorded)"),

  /** A responder does not limit READs and atomics, unless max_dest_rd_atomic is 0. */
  READS_NEVER_TOO_MANY("with max_dest_rd_atomic above 0 no READ or atomic is refused (recorded)"),

  /** Sends posted in SQD wait for the next post in RTS. */
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
