// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import java.nio.ByteBuffer;

/** The entries of {@code entries.h}, in its order, as attached programs call them. */
enum ServiceEntry {
  DEVICE_INFO(DeviceEntries::deviceInfo),
  ADDRESSES(DeviceEntries::addresses),
  OPEN_DEVICE(DeviceEntries::openDevice, true),
  ALLOC_ASYNC_EVENTS(DeviceEntries::allocAsyncEvents),
  QUERY_DEVICE_EX(DeviceEntries::queryDeviceEx),
  QUERY_PORT(DeviceEntries::queryPort),
  QUERY_GID(DeviceEntries::queryGid),
  QUERY_PKEY(DeviceEntries::queryPkey),
  RAW_CLOCK(DeviceEntries::rawClock),
  IMPORT_PD(ImportEntries::importPd),
  IMPORT_MR(ImportEntries::importMr),
  IMPORT_DM(ImportEntries::importDm),
  CLOSE(DeviceEntries::close),
  ALLOC_PD(DomainEntries::allocPd),
  ALLOC_TD(DomainEntries::allocTd),
  ALLOC_PARENT_DOMAIN(DomainEntries::allocParentDomain),
  OPEN_XRCD(DomainEntries::openXrcd),
  CREATE_AH(DomainEntries::createAh),
  INIT_AH_FROM_WC(DomainEntries::initAhFromWc),
  RESOLVE_ETH_L2(DomainEntries::resolveEthL2),
  REG_MR(MemoryEntries::regMr),
  REREG_MR(MemoryEntries::reregMr),
  ALLOC_NULL_MR(MemoryEntries::allocNullMr),
  ADVISE_MR(MemoryEntries::adviseMr),
  ALLOC_MW(MemoryEntries::allocMw),
  BIND_MW(MemoryEntries::bindMw),
  ALLOC_DM(MemoryEntries::allocDm),
  COPY_DM(MemoryEntries::copyDm),
  REG_DM_MR(MemoryEntries::regDmMr),
  CREATE_COMP_CHANNEL(CompletionEntries::createCompChannel),
  PUT_BACK_EVENTS(CompletionEntries::putBackEvents),
  CREATE_CQ(CompletionEntries::createCq),
  CREATE_CQ_EX(CompletionEntries::createCqEx),
  RESIZE_CQ(CompletionEntries::resizeCq, true),
  MODIFY_CQ(CompletionEntries::modifyCq),
  REQ_NOTIFY_CQ(CompletionEntries::reqNotifyCq),
  CREATE_SRQ(QueuePairEntries::createSrq),
  MODIFY_SRQ(QueuePairEntries::modifySrq),
  QUERY_SRQ(QueuePairEntries::querySrq),
  CREATE_QP(QueuePairEntries::createQp),
  OPEN_QP(QueuePairEntries::openQp),
  MODIFY_QP(QueuePairEntries::modifyQp),
  QUERY_QP(QueuePairEntries::queryQp),
  LIMIT_QP_RATE(QueuePairEntries::limitRate),
  ATTACH_MCAST(QueuePairEntries::attachMcast, true),
  DETACH_MCAST(QueuePairEntries::detachMcast, true),
  CREATE_WQ(WorkQueueEntries::createWq),
  MODIFY_WQ(WorkQueueEntries::modifyWq),
  CREATE_RWQ_IND_TABLE(WorkQueueEntries::createRwqIndTable),
  CREATE_FLOW(FlowEntries::createFlow),
  CREATE_COUNTERS(FlowEntries::createCounters),
  ATTACH_COUNTERS(FlowEntries::attachCounters),
  READ_COUNTERS(FlowEntries::readCounters),
  POST_SEND(PostingEntries::postSend),
  POST_BATCH(PostingEntries::postBatch),
  POST_RECV(PostingEntries::postRecv),
  POST_SRQ_RECV(PostingEntries::postSrqRecv),
  POST_WQ_RECV(PostingEntries::postWqRecv),
  OPEN_RDMA_CM(RdmaCmEntries::open, true),
  RDMA_CM_COMMAND(RdmaCmEntries::command, true),

  /** Stands for each number that is none of an entry. */
  UNKNOWN(ServiceEntry::refused);

  private static final ServiceEntry[] ENTRIES = values();
  private static final int EINVAL = 22;

  private final Call call;
  private final boolean mayWait;

  /** A method that is called for programs. */
  interface Call {
    long call(long handle, ByteBuffer args);
  }

  ServiceEntry(Call call) {
    this(call, false);
  }

  ServiceEntry(Call call, boolean mayWait) {
    this.call = call;
    this.mayWait = mayWait;
  }

  /** The entry of a number, or one that is refused. */
  static ServiceEntry of(int number) {
    return number < 0 || number >= ENTRIES.length ? UNKNOWN : ENTRIES[number];
  }

  private static long refused(long handle, ByteBuffer args) {
    return -EINVAL;
  }

  long call(long handle, ByteBuffer args) {
    return call.call(handle, args);
  }

  /**
   * Whether a call may wait for others, who need the thread of the network: for the operating
   * system, a connection, or what was posted to be sent. Programs wait for their events themselves.
   *
   * @param file that the call is about, or null
   */
  boolean mayWait(long handle, OpenFile file) {
    return mayWait || (this == CLOSE && file != null && file.handle() == handle);
  }
}
