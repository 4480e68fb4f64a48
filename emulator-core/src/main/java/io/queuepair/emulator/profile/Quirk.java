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
  CUR_STATE_BELIEVED("cur_qp_state replaces the real state in the lookup (recorded; rxe_qp.c)"),

  /** Rate limits are refused before anything else. */
  RATE_LIMIT_UNKNOWN("RATE_LIMIT in a mask gives EOPNOTSUPP whatever else is wrong (recorded)"),

  /** No path migration, though AUTO_PATH_MIG is reported. */
  ALT_PATH_REFUSED("ALT_PATH gives EINVAL on a RoCE port in spite of AUTO_PATH_MIG (recorded)"),

  /** Most values are taken as they come. */
  VALUES_UNCHECKED(
      "any pkey_index, min_rnr_timer, retry_cnt, rnr_retry, dest_qp_num, max_dest_rd_atomic, access"
          + " flags, service level, a path_mtu of 0 or above the active one, a multicast dgid"
          + " (recorded)"),

  /** Numbers of READs become powers of two. */
  READS_ROUNDED("max_rd_atomic and max_dest_rd_atomic become powers of two (recorded)"),

  /** An empty own GID has an errno of its own. */
  EMPTY_GID_ENODATA("an AV with the GID index of an empty slot gives ENODATA (recorded)"),

  /** Only Error ends draining early. */
  DRAINING_HOLDS_RESET("SQD -> RESET gives EINVAL while the send queue drains (recorded)"),

  /** Attributes outlive RESET. */
  RESET_KEEPS_ATTRIBUTES("query_qp shows all attributes after RESET (recorded)"),

  /** A query does not say what was set. */
  QUERY_REWRITTEN(
      "query_qp: cur_qp_state is RESET until CUR_STATE was given, is_global 1, sl 0, hop_limit that"
          + " of the route (recorded)"),

  /** Queues are larger than asked for. */
  QUEUES_ROUNDED(
      "queues hold 2^n - 1, which create_cq and resize_cq say and of a queue pair only query_qp;"
          + " max_inline_data and max_send_sge pull each other up, 16 bytes an entry (recorded)"),

  /** Completion queues can do what they always could. */
  COMPLETIONS_PLAIN(
      "modify_cq gives EOPNOTSUPP; so does create_cq_ex with timestamps or IGNORE_OVERRUN (provider"
          + " of rdma-core 44)"),

  /** A missing P_Key has the errno of a missing file. */
  QUERY_PKEY_ENOENT("query_pkey of a missing port or slot gives ENOENT (recorded; sysfs)"),

  /** The GID table has an order of its own. */
  GIDS_BY_KIND("GIDs: link-local, then IPv4, then other IPv6 addresses (recorded)");

  private final String rule;

  Quirk(String rule) {
    this.rule = rule;
  }

  /** {@return what the device does, and the source in parentheses} */
  public String rule() {
    return rule;
  }
}
