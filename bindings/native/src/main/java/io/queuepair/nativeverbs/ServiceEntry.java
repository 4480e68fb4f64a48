// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.Errno;
import java.nio.ByteBuffer;

/** Entries that attached programs call, in the order of {@code entries.h}. */
enum ServiceEntry {
  DEVICE_INFO("ibv_get_device_list", DeviceEntries::deviceInfo),
  ADDRESSES("getifaddrs", done(DeviceEntries::addresses)),
  OPEN_DEVICE("ibv_open_device", DeviceEntries::openDevice, true),
  ALLOC_ASYNC_EVENTS("ibv_open_device", DeviceEntries::allocAsyncEvents),
  QUERY_DEVICE_EX("ibv_query_device_ex", done(DeviceEntries::queryDeviceEx)),
  QUERY_PORT("ibv_query_port", done(DeviceEntries::queryPort)),
  QUERY_GID(Refusals.NAMED_BY_C, done(DeviceEntries::queryGid)),
  QUERY_PKEY("ibv_query_pkey", DeviceEntries::queryPkey),
  RAW_CLOCK("ibv_query_rt_values_ex", DeviceEntries::rawClock),
  IMPORT_PD("ibv_import_pd", ImportEntries::importPd),
  IMPORT_MR("ibv_import_mr", ImportEntries::importMr),
  IMPORT_DM("ibv_import_dm", ImportEntries::importDm),
  CLOSE(Refusals.NAMED_BY_C, done(DeviceEntries::close)),
  ALLOC_PD("ibv_alloc_pd", DomainEntries::allocPd),
  ALLOC_TD("ibv_alloc_td", DomainEntries::allocTd),
  ALLOC_PARENT_DOMAIN("ibv_alloc_parent_domain", DomainEntries::allocParentDomain),
  OPEN_XRCD("ibv_open_xrcd", DomainEntries::openXrcd),
  CREATE_AH("ibv_create_ah", DomainEntries::createAh),
  INIT_AH_FROM_WC("ibv_init_ah_from_wc", done(DomainEntries::initAhFromWc)),
  RESOLVE_ETH_L2("ibv_resolve_eth_l2_from_gid", done(DomainEntries::resolveEthL2)),
  REG_MR(Refusals.NAMED_BY_C, MemoryEntries::regMr),
  REREG_MR("ibv_rereg_mr", done(MemoryEntries::reregMr)),
  ALLOC_NULL_MR("ibv_alloc_null_mr", MemoryEntries::allocNullMr),
  ADVISE_MR("ibv_advise_mr", done(MemoryEntries::adviseMr)),
  ALLOC_MW("ibv_alloc_mw", MemoryEntries::allocMw),
  BIND_MW("ibv_bind_mw", done(MemoryEntries::bindMw)),
  ALLOC_DM("ibv_alloc_dm", MemoryEntries::allocDm),
  COPY_DM("ibv_memcpy_dm", done(MemoryEntries::copyDm)),
  REG_DM_MR("ibv_reg_dm_mr", MemoryEntries::regDmMr),
  CREATE_COMP_CHANNEL("ibv_create_comp_channel", CompletionEntries::createCompChannel),
  PUT_BACK_EVENTS("ibv_destroy", done(CompletionEntries::putBackEvents)),
  CREATE_CQ("ibv_create_cq", CompletionEntries::createCq),
  CREATE_CQ_EX("ibv_create_cq_ex", CompletionEntries::createCqEx),
  RESIZE_CQ("ibv_resize_cq", CompletionEntries::resizeCq, true),
  MODIFY_CQ("ibv_modify_cq", done(CompletionEntries::modifyCq)),
  REQ_NOTIFY_CQ("ibv_req_notify_cq", done(CompletionEntries::reqNotifyCq)),
  CREATE_SRQ("ibv_create_srq", QueuePairEntries::createSrq),
  MODIFY_SRQ("ibv_modify_srq", done(QueuePairEntries::modifySrq)),
  QUERY_SRQ("ibv_query_srq", done(QueuePairEntries::querySrq)),
  CREATE_QP("ibv_create_qp", QueuePairEntries::createQp),
  OPEN_QP("ibv_open_qp", QueuePairEntries::openQp),
  MODIFY_QP("ibv_modify_qp", done(QueuePairEntries::modifyQp)),
  QUERY_QP("ibv_query_qp", done(QueuePairEntries::queryQp)),
  LIMIT_QP_RATE("ibv_modify_qp_rate_limit", done(QueuePairEntries::limitRate)),
  ATTACH_MCAST("ibv_attach_mcast", done(QueuePairEntries::attachMcast), true),
  DETACH_MCAST("ibv_detach_mcast", done(QueuePairEntries::detachMcast), true),
  CREATE_WQ("ibv_create_wq", WorkQueueEntries::createWq),
  MODIFY_WQ("ibv_modify_wq", done(WorkQueueEntries::modifyWq)),
  CREATE_RWQ_IND_TABLE("ibv_create_rwq_ind_table", WorkQueueEntries::createRwqIndTable),
  CREATE_FLOW("ibv_create_flow", FlowEntries::createFlow),
  CREATE_COUNTERS("ibv_create_counters", FlowEntries::createCounters),
  ATTACH_COUNTERS("ibv_attach_counters_point_flow", done(FlowEntries::attachCounters)),
  READ_COUNTERS("ibv_read_counters", done(FlowEntries::readCounters)),
  POST_SEND("ibv_post_send", done(PostingEntries::postSend)),
  POST_BATCH("ibv_wr_complete", done(PostingEntries::postBatch)),
  POST_RECV("ibv_post_recv", done(PostingEntries::postRecv)),
  POST_SRQ_RECV("ibv_post_srq_recv", done(PostingEntries::postSrqRecv)),
  POST_WQ_RECV("ibv_post_wq_recv", done(PostingEntries::postWqRecv)),
  OPEN_RDMA_CM("rdma_cm", RdmaCmEntries::open, true),
  RDMA_CM_COMMAND("rdma_cm", RdmaCmEntries::command, true),

  /** Entry of all unknown numbers. */
  UNKNOWN(Refusals.UNKNOWN_VERB, ServiceEntry::refused);

  private static final ServiceEntry[] ENTRIES = values();

  private final String verb;
  private final Call call;
  private final boolean mayWait;

  private interface Call {
    long call(long handle, ByteBuffer args);
  }

  ServiceEntry(String verb, Call call) {
    this(verb, call, false);
  }

  ServiceEntry(String verb, Call call, boolean mayWait) {
    this.verb = verb;
    this.call = call;
    this.mayWait = mayWait;
  }

  /** A call without a result. */
  private interface Action {
    void run(long handle, ByteBuffer args);
  }

  private static Call done(Action action) {
    return (handle, args) -> {
      action.run(handle, args);
      return 0;
    };
  }

  private static long refused(long handle, ByteBuffer args) {
    return -Errno.EINVAL.code();
  }

  /** The entry of a number; {@link #UNKNOWN} if there is none. */
  static ServiceEntry of(int number) {
    return number < 0 || number >= ENTRIES.length ? UNKNOWN : ENTRIES[number];
  }

  /** Carries out a call; returns its result, or a negated errno. Throws nothing. */
  long call(long handle, ByteBuffer args) {
    try {
      return call.call(handle, args);
    } catch (Throwable refused) { // Also an Error, which must not end the service.
      return Refusals.resultOf(verb, refused, args);
    }
  }

  /**
   * Whether a call may wait for the operating system, a connection, or posted sends. A worker
   * thread must carry it out, as the engine runs the network. Programs wait for their events
   * themselves.
   */
  boolean mayWait() {
    return mayWait;
  }
}
