// SPDX-License-Identifier: Apache-2.0
package io.queuepair.rdmacm.internal;

import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.SrqInitAttrEx;
import io.queuepair.verbs.SrqType;
import org.jspecify.annotations.Nullable;

/**
 * An id that keeps what librdmacm keeps in its structure: the context of the program, the latest
 * event of synchronous mode, what queue pairs of requests are made with, and its verbs objects.
 */
public abstract class AbstractRdmaCmId implements RdmaCmId {
  private volatile @Nullable Object context;
  private volatile @Nullable RdmaCmEvent latest;

  /** Attributes of queue pairs made for requests; null to make none. */
  private volatile @Nullable QpInitAttr requestAttr;

  private volatile @Nullable ProtectionDomain requestPd;

  /** Without events and objects. */
  protected AbstractRdmaCmId() {}

  /**
   * Its verbs objects.
   *
   * @return the objects
   */
  protected abstract IdResources resources();

  @Override
  public final @Nullable Object context() {
    return context;
  }

  @Override
  public final void setContext(@Nullable Object newContext) {
    context = newContext;
  }

  @Override
  public final @Nullable RdmaCmEvent event() {
    return latest;
  }

  /**
   * Keeps the latest event, and acknowledges the one before it.
   *
   * @param event the event, null if there is none any more
   */
  protected final void keep(@Nullable RdmaCmEvent event) {
    RdmaCmEvent earlier = latest;
    latest = event;
    if (earlier != null) {
      earlier.close();
    }
  }

  /** Acknowledges the latest event, which stays the latest. */
  protected final void acknowledgeLatest() {
    RdmaCmEvent kept = latest;
    if (kept != null) {
      kept.close();
    }
  }

  /**
   * Keeps what queue pairs of requests will be made with.
   *
   * @param pd their domain, null for the default of the device
   * @param attr their attributes, null for no queue pairs
   */
  public final void keepForRequests(@Nullable ProtectionDomain pd, @Nullable QpInitAttr attr) {
    requestPd = pd;
    requestAttr = attr;
  }

  /**
   * Makes the queue pair of a request, if requests get one.
   *
   * @param request the id of the request
   */
  protected final void createForRequest(AbstractRdmaCmId request) {
    request.createFor(requestPd, requestAttr);
  }

  /**
   * Makes the queue pair of an endpoint, of the type of the id.
   *
   * @param pd its domain, null for the default of the device
   * @param attr its attributes, null for no queue pair
   */
  public final void createFor(@Nullable ProtectionDomain pd, @Nullable QpInitAttr attr) {
    if (attr != null) {
      QpInitAttr own =
          new QpInitAttr(
              qpType(), attr.sendCq(), attr.recvCq(), attr.srq(), attr.cap(), attr.sqSigAll());
      createQp(pd, own);
    }
  }

  @Override
  public final void destroyQp() {
    resources().destroyQp();
  }

  @Override
  public final void createSrq(@Nullable ProtectionDomain pd, SrqAttr attr) {
    SrqType type = qpType() == QpType.XRC_RECV ? SrqType.XRC : SrqType.BASIC;
    createSrqEx(new SrqInitAttrEx(attr, type, pd, null, null));
  }

  @Override
  public final void destroySrq() {
    resources().destroySrq();
  }

  @Override
  public final @Nullable QueuePair qp() {
    return resources().qp();
  }

  @Override
  public final @Nullable SharedReceiveQueue srq() {
    return resources().srq();
  }

  @Override
  public final @Nullable ProtectionDomain pd() {
    return resources().pd();
  }

  @Override
  public final @Nullable CompletionQueue sendCq() {
    return resources().sendCq();
  }

  @Override
  public final @Nullable CompletionQueue recvCq() {
    return resources().recvCq();
  }

  @Override
  public final @Nullable CompletionChannel sendCqChannel() {
    return resources().sendCqChannel();
  }

  @Override
  public final @Nullable CompletionChannel recvCqChannel() {
    return resources().recvCqChannel();
  }
}
