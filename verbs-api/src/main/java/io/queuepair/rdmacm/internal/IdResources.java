// SPDX-License-Identifier: Apache-2.0
package io.queuepair.rdmacm.internal;

import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqInitAttrEx;
import io.queuepair.verbs.SrqType;
import io.queuepair.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * The verbs objects of one id, as librdmacm makes them: completion queues and channels are made for
 * what names none. A provider makes the queue pair and the shared receive queue, and lets one
 * thread at a time change the objects; any thread may ask for them.
 */
public abstract class IdResources {
  private static final String CREATE_QP = "rdma_create_qp";
  private static final String CREATE_SRQ = "rdma_create_srq";

  private volatile @Nullable QueuePair qp;
  private volatile @Nullable SharedReceiveQueue srq;
  private volatile @Nullable ProtectionDomain pd;
  private volatile CompletionObjects send = CompletionObjects.NONE;
  private volatile CompletionObjects receive = CompletionObjects.NONE;
  private volatile CompletionObjects ofSrq = CompletionObjects.NONE;

  /** A completion queue, and its channel if both were made for the id. */
  private record CompletionObjects(
      @Nullable CompletionQueue cq, @Nullable CompletionChannel channel) {
    static final CompletionObjects NONE = new CompletionObjects(null, null);

    void close() {
      if (cq != null && channel != null) {
        cq.close();
        channel.close();
      }
    }
  }

  /** None are there yet. */
  protected IdResources() {}

  /**
   * The context of the device that the id is bound to.
   *
   * @return the context, null before the id is bound
   */
  protected abstract @Nullable Context verbs();

  /**
   * The domain of what names none.
   *
   * @return the default of the device, null before the id is bound to one
   */
  protected abstract @Nullable ProtectionDomain defaultPd();

  /**
   * Refuses a device that is there no more.
   *
   * @param verb the function that needs the device
   * @throws VerbsException ENODEV if it was removed
   */
  protected abstract void checkDevice(String verb);

  /**
   * Makes the queue pair.
   *
   * @param domain its domain, of the context of the id
   * @param attr type, queues and capacities
   * @return the queue pair
   */
  protected abstract QueuePair makeQp(ProtectionDomain domain, QpInitAttrEx attr);

  /**
   * Makes the shared receive queue.
   *
   * @param attr type and capacities, with a domain of the context of the id, and for type XRC with
   *     a completion queue
   * @return the queue
   */
  protected abstract SharedReceiveQueue makeSrq(SrqInitAttrEx attr);

  /**
   * The queue pair.
   *
   * @return the queue pair, null if there is none
   */
  public final @Nullable QueuePair qp() {
    return qp;
  }

  /**
   * The shared receive queue.
   *
   * @return the queue, null if there is none
   */
  public final @Nullable SharedReceiveQueue srq() {
    return srq;
  }

  /**
   * The domain of the queue pair or the shared receive queue, or the default of the device.
   *
   * @return the domain, null before the id is bound to a device
   */
  public final @Nullable ProtectionDomain pd() {
    ProtectionDomain chosen = pd;
    return chosen == null ? defaultPd() : chosen;
  }

  /**
   * The completion queue of sends.
   *
   * @return the queue, null without a queue pair that sends
   */
  public final @Nullable CompletionQueue sendCq() {
    return send.cq();
  }

  /**
   * The completion queue of receives, which may be that of the shared receive queue.
   *
   * @return the queue, null if nothing is received
   */
  public final @Nullable CompletionQueue recvCq() {
    return receive.cq();
  }

  /**
   * The channel of the completion queue of sends.
   *
   * @return the channel, null unless it was made for the id
   */
  public final @Nullable CompletionChannel sendCqChannel() {
    return send.channel();
  }

  /**
   * The channel of the completion queue of receives.
   *
   * @return the channel, null unless it was made for the id
   */
  public final @Nullable CompletionChannel recvCqChannel() {
    return receive.channel();
  }

  /**
   * Makes the queue pair, and the completion queues that it lacks. Its type is not compared with
   * that of the id, but the attributes that it is given are of the type of the id.
   *
   * @param wanted its domain, or null for the default of the device
   * @param extended type and capacities
   * @throws VerbsException EINVAL if there is one, the id is not bound, or the domain is of another
   *     context; otherwise as {@link #checkDevice} and {@link #makeQp}
   */
  public void createQp(@Nullable ProtectionDomain wanted, QpInitAttrEx extended) {
    QpInitAttr asked = extended.base();
    refuseIf(qp != null, CREATE_QP, "there is a queue pair on the id");
    Context context = boundContext(CREATE_QP);
    ProtectionDomain domain = domain(wanted, context, CREATE_QP);
    boolean sends = asked.qpType() != QpType.XRC_RECV;
    boolean receives = sends && asked.qpType() != QpType.XRC_SEND;
    CompletionObjects ofSends = CompletionObjects.NONE;
    CompletionObjects ofReceives = CompletionObjects.NONE;
    try {
      if (sends) {
        ofSends = completions(context, asked.sendCq(), asked.cap().maxSendWr());
        ofReceives =
            receives
                ? completions(context, asked.recvCq(), asked.cap().maxRecvWr())
                : new CompletionObjects(
                    ofSends.cq(), null); // XRC_SEND never uses the one it names.
      }
      QpInitAttr attr =
          new QpInitAttr(
              asked.qpType(),
              ofSends.cq(),
              ofReceives.cq(),
              asked.srq() == null && receives ? srq : asked.srq(),
              asked.cap(),
              asked.sqSigAll());
      qp = makeQp(domain, extended.withBase(attr));
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

  private Context boundContext(String verb) {
    Context context = verbs();
    if (context == null) {
      throw new VerbsException(Errno.EINVAL, verb, "the id is not bound to a device");
    }
    checkDevice(verb);
    return context;
  }

  private ProtectionDomain domain(@Nullable ProtectionDomain wanted, Context context, String verb) {
    ProtectionDomain domain = wanted == null ? pd() : wanted;
    if (domain == null || domain.context() != context) {
      throw new VerbsException(
          Errno.EINVAL, verb, "the protection domain is of another context than the id");
    }
    return domain;
  }

  private static CompletionObjects completions(
      Context context, @Nullable CompletionQueue given, int entries) {
    if (given != null) {
      return new CompletionObjects(given, null);
    }
    CompletionChannel channel = context.createCompChannel();
    CompletionQueue cq = null;
    try {
      cq = context.createCq(Math.max(entries, 1), channel, 0);
    } finally {
      if (cq == null) {
        channel.close();
      }
    }
    return new CompletionObjects(cq, channel);
  }

  /**
   * Makes the shared receive queue, and for type XRC the completion queue that it lacks.
   *
   * @param attr type and capacities; without a domain it gets the default of the device
   * @throws VerbsException EINVAL if there is one, the id is not bound, the type is missing, or the
   *     domain is of another context; otherwise as {@link #checkDevice} and {@link #makeSrq}
   */
  public void createSrq(SrqInitAttrEx attr) {
    refuseIf(srq != null, CREATE_SRQ, "there is a shared receive queue on the id");
    Context context = boundContext(CREATE_SRQ);
    refuseIf(attr.srqType() == null, CREATE_SRQ, "the type is missing");
    ProtectionDomain domain = domain(attr.pd(), context, CREATE_SRQ);
    boolean isXrc = attr.srqType() == SrqType.XRC;
    CompletionObjects completions =
        isXrc ? completions(context, attr.cq(), attr.attr().maxWr()) : CompletionObjects.NONE;
    try {
      srq =
          makeSrq(
              new SrqInitAttrEx(
                  attr.attr(), attr.srqType(), domain, attr.xrcd(), completions.cq()));
      ofSrq = completions;
      receive = isXrc ? completions : receive;
      pd = domain;
    } finally {
      if (srq == null) {
        completions.close();
      }
    }
  }

  /**
   * Destroys the queue pair and what was made for it; without one nothing happens.
   *
   * @throws VerbsException EBUSY while events of one of them are not acknowledged
   */
  public void destroyQp() {
    QueuePair old = qp;
    if (old == null) {
      return;
    }
    old.close();
    qp = null;
    send.close();
    if (!receive.equals(ofSrq)) {
      receive.close();
    }
    send = CompletionObjects.NONE;
    receive = ofSrq;
  }

  /**
   * Destroys the shared receive queue and what was made for it; without one nothing happens.
   *
   * @throws VerbsException EBUSY while a queue pair uses it, or events are not acknowledged
   */
  public void destroySrq() {
    SharedReceiveQueue old = srq;
    if (old == null) {
      return;
    }
    old.close();
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
