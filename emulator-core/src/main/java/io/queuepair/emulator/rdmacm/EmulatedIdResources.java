// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.rdmacm;

import io.queuepair.rdmacm.internal.IdResources;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpInitAttrMask;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqInitAttrEx;
import io.queuepair.verbs.SrqType;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.XrcDomain;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Verbs objects of one id of an emulated host. Changed under the lock of the host, but the queue
 * pair is destroyed outside of it, as that may block.
 */
final class EmulatedIdResources extends IdResources {
  private final EmulatedHost host;
  private final IdContext id;

  EmulatedIdResources(EmulatedHost host, IdContext id) {
    this.host = host;
    this.id = id;
  }

  @Override
  protected @Nullable Context verbs() {
    return id.device == null ? null : id.device.context();
  }

  @Override
  protected ProtectionDomain defaultPd() {
    try (HostDriver.Step step = host.driver().step("rdma_create_id")) {
      return id.device == null ? null : id.device.defaultPd();
    }
  }

  @Override
  protected void checkDevice(String verb) {
    if (id.device.isRemoved()) {
      throw new VerbsException(Errno.ENODEV, verb, "the device of the id is gone");
    }
  }

  int qpNumOr(int external) {
    return qp() == null ? external : qp().qpNum();
  }

  boolean hasSrqOr(boolean external) {
    QueuePair qp = qp();
    return qp == null ? external : qp.initAttr() != null && qp.initAttr().srq() != null;
  }

  @Override
  protected QueuePair makeQp(ProtectionDomain domain, QpInitAttrEx attr) {
    QpStates.checkConnection("rdma_create_qp", id);
    QueuePair qp = create(domain, attr);
    begin(qp);
    return qp;
  }

  private QueuePair create(ProtectionDomain domain, QpInitAttrEx attr) {
    if (attr.base().qpType() == QpType.XRC_RECV) {
      return id.device.xrcd().createQp();
    }
    boolean isPlain = attr.compMask().equals(Set.of(QpInitAttrMask.PD));
    return isPlain ? domain.createQp(attr.base()) : domain.createQpEx(attr);
  }

  private void begin(QueuePair qp) {
    boolean isBegun = false;
    try {
      qp.modify(QpStates.init(id));
      if (id.isDatagram()) {
        qp.modify(QpStates.readyToReceive(id));
        qp.modify(QpStates.readyToSend(id));
      }
      isBegun = true;
    } finally {
      if (!isBegun) {
        qp.close();
      }
    }
  }

  @Override
  protected SharedReceiveQueue makeSrq(SrqInitAttrEx attr) {
    if (attr.srqType() != SrqType.XRC) {
      return attr.pd().createSrq(attr.attr());
    }
    XrcDomain xrcd = attr.xrcd() == null ? id.device.xrcd() : attr.xrcd();
    return xrcd.createSrq(attr.pd(), attr.cq(), attr.attr());
  }

  /** Modifies the queue pair to RTS with the negotiated parameters. */
  void makeReady() {
    qp().modify(QpStates.init(id));
    qp().modify(QpStates.readyToReceive(id));
    qp().modify(QpStates.readyToSend(id));
  }

  /** Modifies the queue pair to ERR, if there is one and its device was not removed. */
  void failQp() {
    if (qp() != null && !id.device.isRemoved()) {
      qp().modify(QpAttr.to(QpState.ERR));
    }
  }

  @Override
  public void destroyQp() {
    QueuePair oldQp = qp();
    if (oldQp != null) {
      host.holdQpn(id, oldQp.qpNum());
    }
    super.destroyQp();
  }
}
