// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SrqInitAttrEx;
import io.queuepair.verbs.SrqType;
import io.queuepair.verbs.VerbsException;

/**
 * The verbs objects of one id. The queue pair and the shared receive queue are made by the
 * connection manager; the completion queues that it would make are made here and given to it.
 */
final class NativeIdResources {
  private static final String CREATE_QP = "rdma_create_qp";
  private static final String CREATE_SRQ = "rdma_create_srq";
  private static final int QP = VerbsAbi.offset("rdma_cm_id.qp");
  private static final int SRQ = VerbsAbi.offset("rdma_cm_id.srq");
  private static final int PD = VerbsAbi.offset("rdma_cm_id.pd");

  private final NativeRdmaCmId id;
  private volatile NativeQueuePair qp;
  private volatile NativeSharedReceiveQueue srq;
  private volatile NativeProtectionDomain pd;
  private volatile CompletionObjects send = CompletionObjects.NONE;
  private volatile CompletionObjects receive = CompletionObjects.NONE;
  private volatile CompletionObjects ofSrq = CompletionObjects.NONE;

  /** A completion queue, and its channel if both were made for the id. */
  private record CompletionObjects(CompletionQueue cq, CompletionChannel channel) {
    static final CompletionObjects NONE = new CompletionObjects(null, null);

    void close() {
      if (channel != null) {
        cq.close();
        channel.close();
      }
    }
  }

  NativeIdResources(NativeRdmaCmId id) {
    this.id = id;
  }

  NativeQueuePair qp() {
    return qp;
  }

  NativeSharedReceiveQueue srq() {
    return srq;
  }

  CompletionQueue sendCq() {
    return send.cq();
  }

  CompletionQueue recvCq() {
    return receive.cq();
  }

  CompletionChannel sendCqChannel() {
    return send.channel();
  }

  CompletionChannel recvCqChannel() {
    return receive.channel();
  }

  /** That of the queue pair, or the default of the device; null before the id is bound to one. */
  NativeProtectionDomain pd() {
    NativeProtectionDomain chosen = pd;
    if (chosen != null) {
      return chosen;
    }
    long address = RawMemory.getLong(id.address() + PD);
    return id.host().domainAt(address, id.verbs());
  }

  synchronized void createQp(ProtectionDomain wanted, QpInitAttrEx extended) {
    QpInitAttr asked = extended.base();
    refuseIf(qp != null, CREATE_QP, "there is a queue pair on the id");
    refuseIf(
        asked.qpType() != id.qpType(),
        CREATE_QP,
        "a queue pair of type " + asked.qpType() + " is not of that of the id, " + id.qpType());
    NativeProtectionDomain domain = domain(wanted, CREATE_QP);
    boolean sends = asked.qpType() != QpType.XRC_RECV;
    boolean receives = sends && asked.qpType() != QpType.XRC_SEND;
    CompletionObjects ofSends = CompletionObjects.NONE;
    CompletionObjects ofReceives = CompletionObjects.NONE;
    try {
      ofSends = completions(sends, asked.sendCq(), asked.cap().maxSendWr());
      ofReceives = completions(receives, asked.recvCq(), asked.cap().maxRecvWr());
      // XRC_SEND names one for receives that it never uses.
      CompletionQueue forReceives = receives ? ofReceives.cq() : ofSends.cq();
      QpInitAttr attr =
          new QpInitAttr(
              asked.qpType(),
              ofSends.cq(),
              forReceives,
              asked.srq() == null && receives ? srq : asked.srq(),
              asked.cap(),
              asked.sqSigAll());
      QpInitAttrEx whole =
          new QpInitAttrEx(
              attr,
              extended.compMask(),
              extended.sendOpsFlags(),
              extended.createFlags(),
              extended.maxTsoHeader());
      qp = QueuePairCreation.createOn(id.address(), QP, domain, whole);
      qp.whenClosed(() -> RawMemory.putLong(id.address() + QP, 0));
      pd = domain;
      send = ofSends;
      if (receives) {
        receive = ofReceives;
      } else {
        receive = sends ? new CompletionObjects(forReceives, null) : ofSrq;
      }
    } finally {
      if (qp == null) {
        ofSends.close();
        ofReceives.close();
      }
    }
  }

  private CompletionObjects completions(boolean isNeeded, CompletionQueue given, int entries) {
    if (!isNeeded || given != null) {
      return new CompletionObjects(isNeeded ? given : null, null);
    }
    CompletionChannel channel = id.verbs().createCompChannel();
    CompletionQueue cq = null;
    try {
      cq = id.verbs().createCq(Math.max(entries, 1), channel, 0);
    } finally {
      if (cq == null) {
        channel.close();
      }
    }
    return new CompletionObjects(cq, channel);
  }

  private NativeProtectionDomain domain(ProtectionDomain wanted, String verb) {
    refuseIf(id.verbs() == null, verb, "the id is not bound to a device");
    NativeProtectionDomain domain =
        wanted == null ? pd() : NativeObject.of(wanted, NativeProtectionDomain.class, verb);
    refuseIf(
        domain.context() != id.verbs(),
        verb,
        "the protection domain is of another context than the id");
    return domain;
  }

  synchronized void createSrq(SrqInitAttrEx attr) {
    refuseIf(srq != null, CREATE_SRQ, "there is a shared receive queue on the id");
    refuseIf(attr.srqType() == null, CREATE_SRQ, "the type is missing");
    NativeProtectionDomain domain = domain(attr.pd(), CREATE_SRQ);
    boolean isXrc = attr.srqType() == SrqType.XRC;
    CompletionObjects completions = completions(isXrc, attr.cq(), attr.attr().maxWr());
    try {
      SrqInitAttrEx whole =
          new SrqInitAttrEx(attr.attr(), attr.srqType(), domain, attr.xrcd(), completions.cq());
      srq = NativeSharedReceiveQueue.createOn(id.address(), SRQ, domain, whole);
      srq.whenClosed(() -> RawMemory.putLong(id.address() + SRQ, 0));
      ofSrq = completions;
      receive = isXrc ? completions : receive;
      pd = domain;
    } finally {
      if (srq == null) {
        completions.close();
      }
    }
  }

  /** Destroys the queue pair and what was made for it. */
  synchronized void destroyQp() {
    if (qp == null) {
      return;
    }
    qp.close();
    qp = null;
    send.close();
    if (!receive.equals(ofSrq)) {
      receive.close();
    }
    send = CompletionObjects.NONE;
    receive = ofSrq;
  }

  synchronized void destroySrq() {
    if (srq == null) {
      return;
    }
    srq.close();
    srq = null;
    ofSrq.close();
    receive = qp == null || receive.equals(ofSrq) ? CompletionObjects.NONE : receive;
    ofSrq = CompletionObjects.NONE;
  }

  private static void refuseIf(boolean condition, String verb, String why) {
    if (condition) {
      throw new VerbsException(Errno.EINVAL, verb, why);
    }
  }
}
