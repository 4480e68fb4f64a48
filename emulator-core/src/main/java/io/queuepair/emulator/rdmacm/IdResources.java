// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.rdmacm;

import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpInitAttrMask;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqInitAttrEx;
import io.queuepair.verbs.SrqType;
import io.queuepair.verbs.VerbsException;
import java.util.Set;

/** The verbs objects of one id, as librdmacm makes them. Changed under the lock of the host. */
final class IdResources {
  private static final String CREATE_QP = "rdma_create_qp";
  private static final String CREATE_SRQ = "rdma_create_srq";

  private final EmulatedRdmaCm host;
  private final IdContext id;
  private volatile QueuePair qp;
  private volatile SharedReceiveQueue srq;
  private volatile ProtectionDomain pd;
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

  IdResources(EmulatedRdmaCm host, IdContext id) {
    this.host = host;
    this.id = id;
  }

  QueuePair qp() {
    return qp;
  }

  SharedReceiveQueue srq() {
    return srq;
  }

  /** That of the queue pair, or the default of the device. */
  ProtectionDomain pd() {
    ProtectionDomain chosen = pd;
    if (chosen != null) {
      return chosen;
    }
    return host.driver()
        .call("rdma_create_id", () -> id.device() == null ? null : id.device().defaultPd());
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

  int qpNumOr(int external) {
    return qp == null ? external : qp.qpNum();
  }

  boolean hasSrqOr(boolean external) {
    return qp == null ? external : qp.initAttr() != null && qp.initAttr().srq() != null;
  }

  void createQp(ProtectionDomain wanted, QpInitAttrEx extended) {
    QpInitAttr asked = extended.base();
    refuseIf(qp != null, CREATE_QP, "there is a queue pair on the id");
    checkBound(CREATE_QP);
    refuseIf(
        asked.qpType() != id.qpType(),
        CREATE_QP,
        "a queue pair of type " + asked.qpType() + " is not of that of the id, " + id.qpType());
    ProtectionDomain domain = wanted == null ? chosenPd() : wanted;
    checkOwn(CREATE_QP, domain);
    boolean sends = asked.qpType() != QpType.XRC_RECV;
    boolean receives = sends && asked.qpType() != QpType.XRC_SEND;
    CompletionObjects ofSends =
        sends ? completions(asked.sendCq(), asked.cap().maxSendWr()) : CompletionObjects.NONE;
    CompletionObjects ofReceives = CompletionObjects.NONE;
    try {
      ofReceives =
          receives
              ? completions(asked.recvCq(), asked.cap().maxRecvWr())
              : new CompletionObjects(ofSends.cq(), null); // XRC_SEND names one that it never uses.
      SharedReceiveQueue shared = asked.srq() == null && receives ? srq : asked.srq();
      QpInitAttr attr =
          new QpInitAttr(
              asked.qpType(), ofSends.cq(), ofReceives.cq(), shared, asked.cap(), asked.sqSigAll());
      QueuePair created = create(domain, extended, attr);
      begin(created);
      qp = created;
      pd = domain;
      send = ofSends;
      receive = sends ? ofReceives : ofSrq; // The receives of XRC_RECV are those of its SRQ.
    } finally {
      if (qp == null) {
        ofSends.close();
        ofReceives.close();
      }
    }
  }

  private QueuePair create(ProtectionDomain domain, QpInitAttrEx extended, QpInitAttr attr) {
    if (attr.qpType() == QpType.XRC_RECV) {
      return id.device().xrcd().createQp();
    }
    boolean isPlain = extended.compMask().equals(Set.of(QpInitAttrMask.PD));
    return isPlain
        ? domain.createQp(attr)
        : domain.createQpEx(
            new QpInitAttrEx(
                attr,
                extended.compMask(),
                extended.sendOpsFlags(),
                extended.createFlags(),
                extended.maxTsoHeader()));
  }

  private void begin(QueuePair created) {
    boolean isBegun = false;
    try {
      created.modify(QpStates.init(id));
      if (id.isDatagram()) {
        created.modify(QpStates.readyToReceive(id));
        created.modify(QpStates.readyToSend(id));
      }
      isBegun = true;
    } finally {
      if (!isBegun) {
        created.close();
      }
    }
  }

  private CompletionObjects completions(CompletionQueue given, int entries) {
    if (given != null) {
      return new CompletionObjects(given, null);
    }
    CompletionChannel channel = id.device().context().createCompChannel();
    CompletionQueue cq = null;
    try {
      cq = id.device().context().createCq(Math.max(entries, 1), channel, 0);
    } finally {
      if (cq == null) {
        channel.close();
      }
    }
    return new CompletionObjects(cq, channel);
  }

  private ProtectionDomain chosenPd() {
    return pd == null ? id.device().defaultPd() : pd;
  }

  private void checkBound(String verb) {
    refuseIf(id.device() == null, verb, "the id is not bound to a device");
    if (id.device().isRemoved()) {
      throw new VerbsException(Errno.ENODEV, verb, "the device of the id is gone");
    }
  }

  private void checkOwn(String verb, ProtectionDomain domain) {
    refuseIf(
        domain.context() != id.device().context(),
        verb,
        "the protection domain is of another context than the id");
  }

  void createSrq(SrqInitAttrEx attr) {
    refuseIf(srq != null, CREATE_SRQ, "there is a shared receive queue on the id");
    checkBound(CREATE_SRQ);
    refuseIf(attr.srqType() == null, CREATE_SRQ, "the type is missing");
    ProtectionDomain domain = attr.pd() == null ? chosenPd() : attr.pd();
    checkOwn(CREATE_SRQ, domain);
    if (attr.srqType() != SrqType.XRC) {
      srq = domain.createSrq(attr.attr());
    } else {
      CompletionObjects completions = completions(attr.cq(), attr.attr().maxWr());
      try {
        srq =
            (attr.xrcd() == null ? id.device().xrcd() : attr.xrcd())
                .createSrq(domain, completions.cq(), attr.attr());
        ofSrq = completions;
        receive = completions;
      } finally {
        if (srq == null) {
          completions.close();
        }
      }
    }
    pd = domain;
  }

  /** Takes the queue pair to RTS, by what both sides have agreed on. */
  void makeReady() {
    qp.modify(QpStates.init(id));
    qp.modify(QpStates.readyToReceive(id));
    qp.modify(QpStates.readyToSend(id));
  }

  /** Takes the queue pair to Error, if there is one; what cannot be done then need not. */
  void failQp() {
    if (qp != null && !id.device().isRemoved()) {
      qp.modify(QpAttr.to(QpState.ERR));
    }
  }

  /** Destroys the queue pair and what was made for it; outside of the lock, as it may wait. */
  void destroyQp() {
    QueuePair old = qp;
    if (old == null) {
      return;
    }
    host.holdQpn(id, old.qpNum());
    old.close();
    qp = null;
    send.close();
    if (!receive.equals(ofSrq)) {
      receive.close();
    }
    send = CompletionObjects.NONE;
    receive = ofSrq;
  }

  void destroySrq() {
    SharedReceiveQueue old = srq;
    if (old == null) {
      return;
    }
    old.close();
    srq = null;
    ofSrq.close();
    ofSrq = CompletionObjects.NONE;
    receive = qp == null ? CompletionObjects.NONE : receive;
  }

  private static void refuseIf(boolean condition, String verb, String why) {
    if (condition) {
      throw new VerbsException(Errno.EINVAL, verb, why);
    }
  }
}
