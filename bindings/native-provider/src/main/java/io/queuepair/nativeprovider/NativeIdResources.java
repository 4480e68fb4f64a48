// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.rdmacm.internal.IdResources;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqInitAttrEx;

/**
 * The verbs objects of one id. The queue pair and the shared receive queue are made by the
 * connection manager, which keeps them in its structure; the completion queues that it would make
 * are given to it.
 */
final class NativeIdResources extends IdResources {
  private static final int QP = VerbsAbi.offset("rdma_cm_id.qp");
  private static final int SRQ = VerbsAbi.offset("rdma_cm_id.srq");
  private static final int PD = VerbsAbi.offset("rdma_cm_id.pd");

  private final NativeRdmaCmId id;

  NativeIdResources(NativeRdmaCmId id) {
    this.id = id;
  }

  @Override
  protected Context verbs() {
    return id.verbs();
  }

  @Override
  protected NativeProtectionDomain defaultPd() {
    return id.host().domainAt(RawMemory.getLong(id.address() + PD), id.verbs());
  }

  /** The kernel does, when the device is used. */
  @Override
  protected void checkDevice(String verb) {}

  @Override
  protected QueuePair makeQp(ProtectionDomain domain, QpInitAttrEx attr) {
    NativeQueuePair qp = QueuePairCreation.createOn(id.address(), QP, own(domain), attr);
    qp.whenClosed(() -> RawMemory.putLong(id.address() + QP, 0));
    return qp;
  }

  private static NativeProtectionDomain own(ProtectionDomain domain) {
    return NativeObject.of(domain, NativeProtectionDomain.class, "rdma_create_qp");
  }

  @Override
  protected SharedReceiveQueue makeSrq(SrqInitAttrEx attr) {
    NativeSharedReceiveQueue srq =
        NativeSharedReceiveQueue.createOn(id.address(), SRQ, own(attr.pd()), attr);
    srq.whenClosed(() -> RawMemory.putLong(id.address() + SRQ, 0));
    return srq;
  }

  @Override
  public synchronized void createQp(ProtectionDomain wanted, QpInitAttrEx extended) {
    super.createQp(wanted, extended);
  }

  @Override
  public synchronized void createSrq(SrqInitAttrEx attr) {
    super.createSrq(attr);
  }

  @Override
  public synchronized void destroyQp() {
    super.destroyQp();
  }

  @Override
  public synchronized void destroySrq() {
    super.destroySrq();
  }
}
