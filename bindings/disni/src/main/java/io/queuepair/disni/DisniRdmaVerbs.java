// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.SVCDeregMr;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCPostRecv;
import com.ibm.disni.verbs.SVCPostSend;
import com.ibm.disni.verbs.SVCRegMr;
import com.ibm.disni.verbs.SVCReqNotify;
import io.queuepair.verbs.CompletionQueue;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** DiSNI's verbs on {@code io.queuepair.verbs}. Thread-safe. */
final class DisniRdmaVerbs extends RdmaVerbs {
  private static final int UNSUPPORTED = -1;
  private static final int FOR_EVER = -1;

  @Override
  public IbvPd allocPd(IbvContext context) throws IOException {
    DisniContext own = open(context, "allocPd");
    return new DisniPd(own, DisniErrors.call("allocPd", own.context()::allocPd));
  }

  @Override
  public IbvCompChannel createCompChannel(IbvContext context) throws IOException {
    DisniContext own = open(context, "createCompChannel");
    return new DisniCompChannel(
        own, DisniErrors.call("createCompChannel", own.context()::createCompChannel));
  }

  @Override
  public IbvCQ createCQ(IbvContext context, IbvCompChannel channel, int ncqe, int compVector)
      throws IOException {
    DisniContext own = open(context, "createCQ");
    DisniCompChannel ownChannel = (DisniCompChannel) channel;
    DisniErrors.requireOpen(channel.isOpen(), "createCQ", "completion channel");
    CompletionQueue cq =
        DisniErrors.call(
            "createCQ", () -> own.context().createCq(ncqe, ownChannel.channel(), compVector));
    return new DisniCq(own, channel, cq);
  }

  /**
   * Waits for an event of any queue of the channel; the queue does not count.
   *
   * @return whether there was one within the timeout, which is for ever if it is -1
   */
  @Override
  public boolean getCqEvent(IbvCompChannel channel, IbvCQ cq, int timeoutMillis)
      throws IOException {
    DisniCompChannel own = (DisniCompChannel) channel;
    DisniErrors.requireOpen(own.isOpen(), "getCqEvent", "completion channel");
    Optional<CompletionQueue> notified =
        DisniErrors.call(
            "getCqEvent",
            () ->
                timeoutMillis <= FOR_EVER
                    ? Optional.of(own.channel().getCqEvent())
                    : own.channel().getCqEvent(Duration.ofMillis(timeoutMillis)));
    return notified.isPresent();
  }

  @Override
  public SVCRegMr regMr(IbvPd pd, ByteBuffer buffer, int access) {
    return new RegMrCall((DisniPd) pd, buffer, access);
  }

  @Override
  public SVCRegMr regMr(IbvPd pd, long address, int length, int access) {
    return new RegMrCall((DisniPd) pd, address, length, access);
  }

  /** As without the extensions of Mellanox OFED. */
  @Override
  public int queryOdpSupport(IbvContext context) {
    return UNSUPPORTED;
  }

  /** As without the extensions of Mellanox OFED. */
  @Override
  public int expPrefetchMr(IbvMr mr, long address, int length) {
    return UNSUPPORTED;
  }

  @Override
  public SVCDeregMr deregMr(IbvMr mr) {
    return new DeregMrCall((DisniMr) mr);
  }

  @Override
  public SVCPostSend postSend(IbvQP qp, List<IbvSendWR> requests, List<IbvSendWR> bad) {
    return new PostSendCall((DisniQp) qp, requests);
  }

  @Override
  public SVCPostRecv postRecv(IbvQP qp, List<IbvRecvWR> requests, List<IbvRecvWR> bad) {
    return new PostRecvCall((DisniQp) qp, requests);
  }

  @Override
  public SVCPollCq pollCQ(IbvCQ cq, IbvWC[] completions, int ne) {
    return new PollCqCall((DisniCq) cq, completions, ne);
  }

  @Override
  public SVCReqNotify reqNotifyCQ(IbvCQ cq, boolean solicitedOnly) {
    return new ReqNotifyCall((DisniCq) cq, solicitedOnly);
  }

  @Override
  public int ackCqEvents(IbvCQ cq, int events) throws IOException {
    DisniCq own = (DisniCq) cq;
    DisniErrors.requireOpen(own.isOpen(), "ackCqEvents", "completion queue");
    return DisniErrors.end("ackCqEvents", () -> own.cq().ackEvents(events));
  }

  @Override
  public int destroyCompChannel(IbvCompChannel channel) throws IOException {
    DisniErrors.requireOpen(channel.isOpen(), "destroyCompChannel", "completion channel");
    channel.close();
    return DisniErrors.end("destroyCompChannel", ((DisniCompChannel) channel).channel()::close);
  }

  @Override
  public int deallocPd(IbvPd pd) throws IOException {
    DisniErrors.requireOpen(pd.isOpen(), "deallocPd", "protection domain");
    pd.close();
    return DisniErrors.end("deallocPd", ((DisniPd) pd).pd()::close);
  }

  @Override
  public int destroyCQ(IbvCQ cq) throws IOException {
    DisniErrors.requireOpen(cq.isOpen(), "destroyCQ", "completion queue");
    cq.close();
    return DisniErrors.end("destroyCQ", ((DisniCq) cq).cq()::close);
  }

  private static DisniContext open(IbvContext context, String call) throws IOException {
    DisniErrors.requireOpen(context.isOpen(), call, "context");
    return (DisniContext) context;
  }
}
