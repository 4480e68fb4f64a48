// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.SrqAttrMask;
import io.queuepair.verbs.SrqInitAttrEx;
import io.queuepair.verbs.SrqType;
import io.queuepair.verbs.VerbsConstant;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Set;

/** A shared receive queue. */
final class NativeSharedReceiveQueue extends EventElement implements SharedReceiveQueue {
  private static final String POST = "ibv_post_srq_recv";
  private static final int ATTR_BYTES = VerbsAbi.size("ibv_srq_attr");
  private static final int INIT_ATTR = VerbsAbi.offset("ibv_srq_init_attr.attr");

  private static final int EXTENDED_SIZE = VerbsAbi.size("ibv_srq_init_attr_ex");
  private static final int TYPE_AND_PD = 1 | 2;
  private static final int XRCD = 4;
  private static final int CQ = 8;
  private static final int XRC_MASK = TYPE_AND_PD | XRCD | CQ;

  private final NativeProtectionDomain pd;
  private final ReceiveRequests requests = new ReceiveRequests();

  private NativeSharedReceiveQueue(NativeProtectionDomain pd, long address) {
    super(pd.context(), address);
    this.pd = pd;
  }

  static NativeSharedReceiveQueue create(NativeProtectionDomain pd, SrqAttr attr) {
    try (Arena arena = Arena.ofConfined()) {
      long init = RawMemory.allocate(arena, VerbsAbi.size("ibv_srq_init_attr"));
      write(init + INIT_ATTR, attr);
      long srq = Libibverbs.CREATE_SRQ.pointer(pd.address(), init);
      return pd.context().keep(new NativeSharedReceiveQueue(pd, srq));
    }
  }

  static NativeSharedReceiveQueue createXrc(
      NativeXrcDomain xrcd, ProtectionDomain pd, CompletionQueue cq, SrqAttr attr) {
    String verb = "ibv_create_srq_ex";
    NativeProtectionDomain domain = of(pd, NativeProtectionDomain.class, verb);
    try (Arena arena = Arena.ofConfined()) {
      long init = RawMemory.allocate(arena, EXTENDED_SIZE);
      write(init + INIT_ATTR, attr);
      RawMemory.putInt(init + extended("comp_mask"), XRC_MASK);
      RawMemory.putInt(init + extended("srq_type"), SrqType.XRC.code());
      RawMemory.putLong(init + extended("pd"), xrcd.addressOf(domain, verb));
      RawMemory.putLong(init + extended("xrcd"), xrcd.address());
      RawMemory.putLong(init + extended("cq"), xrcd.addressOf(cq, verb));
      NativeContext context = xrcd.context();
      long srq = context.functions().createSrqEx.pointer(context.address(), init);
      return context.keep(new NativeSharedReceiveQueue(domain, srq));
    }
  }

  /**
   * Creates that of an id of the connection manager, which keeps it in its structure at an offset.
   */
  static NativeSharedReceiveQueue createOn(
      long id, int offset, NativeProtectionDomain pd, SrqInitAttrEx attr) {
    try (Arena arena = Arena.ofConfined()) {
      long init = RawMemory.allocate(arena, EXTENDED_SIZE);
      write(init + INIT_ATTR, attr.attr());
      int mask = TYPE_AND_PD | (attr.xrcd() == null ? 0 : XRCD) | (attr.cq() == null ? 0 : CQ);
      RawMemory.putInt(init + extended("comp_mask"), mask);
      RawMemory.putInt(init + extended("srq_type"), attr.srqType().code());
      RawMemory.putLong(init + extended("pd"), pd.address());
      RawMemory.putLong(init + extended("xrcd"), pd.addressOrNull(attr.xrcd(), "rdma_create_srq"));
      RawMemory.putLong(init + extended("cq"), pd.addressOrNull(attr.cq(), "rdma_create_srq"));
      Librdmacm.CREATE_SRQ_EX.status(id, init);
      long srq = RawMemory.getLong(id + offset);
      return pd.context().keep(new NativeSharedReceiveQueue(pd, srq));
    }
  }

  private static int extended(String field) {
    return VerbsAbi.offset("ibv_srq_init_attr_ex." + field);
  }

  private static void write(long at, SrqAttr attr) {
    RawMemory.putInt(at, attr.maxWr());
    RawMemory.putInt(at + 4, attr.maxSge());
    RawMemory.putInt(at + 8, attr.srqLimit());
  }

  @Override
  public ProtectionDomain pd() {
    return pd;
  }

  @Override
  public int srqNum() {
    try (Arena arena = Arena.ofConfined()) {
      long number = RawMemory.allocate(arena, Integer.BYTES);
      context().functions().getSrqNum.status(address(), number);
      return RawMemory.getInt(number);
    }
  }

  @Override
  public void postRecv(List<RecvWr> wrs) {
    synchronized (requests) {
      long first = requests.write(wrs, POST);
      long bad = requests.bad();
      if (first != 0) {
        int status = context().data().postSrqRecv(address(), first, bad);
        ReceiveRequests.check(status, first, bad, POST);
      }
      requests.refuseMistake();
    }
  }

  @Override
  public void modify(SrqAttr attr, Set<SrqAttrMask> mask) {
    try (Arena arena = Arena.ofConfined()) {
      long struct = RawMemory.allocate(arena, ATTR_BYTES);
      write(struct, attr);
      Libibverbs.MODIFY_SRQ.status(address(), struct, VerbsConstant.mask(mask));
    }
  }

  @Override
  public SrqAttr query() {
    try (Arena arena = Arena.ofConfined()) {
      long struct = RawMemory.allocate(arena, ATTR_BYTES);
      Libibverbs.QUERY_SRQ.status(address(), struct);
      return new SrqAttr(
          RawMemory.getInt(struct), RawMemory.getInt(struct + 4), RawMemory.getInt(struct + 8));
    }
  }

  @Override
  void prepareDestruction() {
    acknowledgeAsyncEvents(EventType.SRQ_ERR);
  }

  @Override
  void destroy(long address) {
    asyncEvents().awaitNone("ibv_destroy_srq");
    Libibverbs.DESTROY_SRQ.status(address);
  }
}
