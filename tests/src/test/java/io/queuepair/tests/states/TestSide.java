// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.states;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.conformance.Attributes;
import io.queuepair.tests.conformance.Outcomes;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.WorkCompletion;
import io.queuepair.verbs.XrcDomain;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/**
 * One end of a {@link QpStateFixture}: a device with everything that a queue pair of any type
 * needs.
 */
final class TestSide implements AutoCloseable {
  /** First PSN of both directions. */
  static final int PSN = 100;

  /** Bytes of a message of one packet. */
  static final int SHORT = 8;

  /** Bytes of a message of three packets. */
  static final int LONG = 3 * 1024;

  /** What memory is filled with. */
  static final byte FILL = (byte) 0xee;

  /** A key that names nothing. */
  static final int BAD_LKEY = 0xbad;

  private static final int REGION_BYTES = 8192;

  /** What is sent is from here on, and never looks like {@link #FILL}. */
  private static final int SEND_FROM = 4096;

  private static final int FILL_FREE = 128;

  private final Context context;
  private final ProtectionDomain pd;
  private final CompletionChannel channel;
  private final CompletionQueue sendCq;
  private final CompletionQueue recvCq;
  private final SharedReceiveQueue srq;
  private final XrcDomain xrcd;
  private final QueuePair qp;
  private final QpType type;
  private final MemoryRegion region;
  private final List<WorkCompletion> sends = new ArrayList<>();
  private final List<WorkCompletion> receives = new ArrayList<>();
  private TestSide peer;
  private AddressHandle ah;

  TestSide(Device device, QpType type, SideShape shape) {
    this.type = type;
    context = device.open();
    pd = context.allocPd();
    channel = context.createCompChannel();
    sendCq = context.createCq(shape.cqe(), channel);
    recvCq = context.createCq(shape.cqe(), channel);
    xrcd = type == QpType.XRC_RECV ? context.openXrcd() : null;
    srq = createSrq(shape);
    qp = type == QpType.XRC_RECV ? xrcd.createQp() : pd.createQp(initAttr(shape));
    region = register(REGION_BYTES);
    for (int i = SEND_FROM; i < REGION_BYTES; i++) {
      region.buffer().put(i, (byte) (i % FILL_FREE));
    }
  }

  private SharedReceiveQueue createSrq(SideShape shape) {
    SrqAttr attr = SrqAttr.of(Math.max(1, shape.maxWr()), 1);
    return switch (type) {
      case XRC_RECV -> xrcd.createSrq(pd, recvCq, attr);
      case RC, UD -> shape.receives() == Receives.SHARED ? pd.createSrq(attr) : null;
      case UC, XRC_SEND, RAW_PACKET, DRIVER -> null;
    };
  }

  private QpInitAttr initAttr(SideShape shape) {
    SharedReceiveQueue own = type == QpType.XRC_RECV ? null : srq;
    QpCap cap = new QpCap(shape.maxWr(), shape.maxWr(), 1, 1, 0);
    return new QpInitAttr(type, sendCq, recvCq, own, cap, false);
  }

  MemoryRegion register(int bytes) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
    for (int i = 0; i < bytes; i++) {
      buffer.put(i, FILL);
    }
    return pd.regMr(
        buffer,
        EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ));
  }

  void setPeer(TestSide newPeer) {
    peer = newPeer;
    if (type == QpType.UD) {
      ah = pd.createAh(AhAttr.to(peer.gid()));
    }
  }

  Context context() {
    return context;
  }

  ProtectionDomain pd() {
    return pd;
  }

  Gid gid() {
    return context.queryGid(1, 0);
  }

  /** Where both completion queues announce themselves. */
  CompletionChannel channel() {
    return channel;
  }

  CompletionQueue sendCq() {
    return sendCq;
  }

  CompletionQueue recvCq() {
    return recvCq;
  }

  /** Null unless it takes receives from a shared queue. */
  SharedReceiveQueue srq() {
    return srq;
  }

  QueuePair qp() {
    return qp;
  }

  /** 8 KiB with all rights: receives go to the front, sends come from the back. */
  MemoryRegion region() {
    return region;
  }

  /** Whether nothing has been written where receives and writes go. */
  boolean isUntouched() {
    for (int i = 0; i < SEND_FROM; i++) {
      if (region.buffer().get(i) != FILL) {
        return false;
      }
    }
    return true;
  }

  QpState state() {
    return qp.query().qpState();
  }

  void modifyTo(QpState state) {
    qp.modify(to(state));
  }

  /** What a transition to a state by the usual way takes. */
  QpAttr to(QpState state) {
    return switch (state) {
      case INIT -> Attributes.init(type);
      case RTR -> Attributes.rtr(type, peer.gid(), peer.qp.qpNum(), PSN);
      case RTS -> state() == QpState.RTR ? Attributes.rts(type, PSN) : QpAttr.to(QpState.RTS);
      case RESET, SQD, SQE, ERR, UNKNOWN -> QpAttr.to(state);
    };
  }

  /** From RESET to RTS. */
  void connect() {
    modifyTo(QpState.INIT);
    modifyTo(QpState.RTR);
    modifyTo(QpState.RTS);
  }

  /** Posts a receive with room for a long message, where receives of this side are posted. */
  void postReceive(long wrId) {
    postReceive(wrId, region.sge(0, SEND_FROM));
  }

  void postReceive(long wrId, Sge sge) {
    RecvWr wr = RecvWr.of(wrId, sge);
    if (srq == null) {
      qp.postRecv(wr);
    } else {
      srq.postRecv(wr);
    }
  }

  void postSend(SendWr wr) {
    qp.postSend(wr);
  }

  /** A message of one packet. */
  SendWr send(long wrId) {
    return send(wrId, region.sge(SEND_FROM, SHORT));
  }

  SendWr send(long wrId, Sge sge) {
    return addressed(SendWr.send(wrId, sge));
  }

  /** A message of three packets, where the type has such. */
  SendWr longSend(long wrId) {
    return send(wrId, region.sge(SEND_FROM, LONG));
  }

  SendWr unsignaled(long wrId) {
    return unsignaled(wrId, region.sge(SEND_FROM, SHORT));
  }

  SendWr unsignaled(long wrId, Sge sge) {
    return addressed(SendWr.send(wrId, sge).withFlags());
  }

  /** A message that fails with LOC_PROT_ERR. */
  SendWr badSend(long wrId) {
    return send(wrId, new Sge(region.addr(), SHORT, BAD_LKEY));
  }

  /** A write over the start of the peer's memory. */
  SendWr write(long wrId) {
    return writeWith(wrId, peer.region.rkey());
  }

  SendWr writeWith(long wrId, int rkey) {
    return addressed(
        SendWr.rdmaWrite(wrId, peer.region.addr(), rkey, region.sge(SEND_FROM, SHORT)));
  }

  /** What no queue pair here allows its peer. */
  SendWr atomic(long wrId) {
    SendWr.RemoteTarget target = new SendWr.RemoteTarget(peer.region.addr(), peer.region.rkey());
    return addressed(SendWr.fetchAndAdd(wrId, target, 1, region.sge(SEND_FROM, SHORT)));
  }

  SendWr read(long wrId) {
    return addressed(
        SendWr.rdmaRead(wrId, peer.region.addr(), peer.region.rkey(), region.sge(SEND_FROM, LONG)));
  }

  private SendWr addressed(SendWr wr) {
    return switch (type) {
      case RC, UC, XRC_RECV, RAW_PACKET, DRIVER -> wr;
      case UD -> wr.to(ah, peer.qp.qpNum(), Attributes.QKEY);
      case XRC_SEND -> wr.toSrq(peer.srq.srqNum());
    };
  }

  /** Takes the send completions of the queue pair, see {@link Outcomes}. */
  List<String> sends() {
    return Outcomes.of(sendCompletions());
  }

  /** Takes the receive completions of the queue pair. */
  List<String> receives() {
    return Outcomes.of(receiveCompletions());
  }

  List<WorkCompletion> sendCompletions() {
    return take(sendCq, sends, qp.qpNum());
  }

  List<WorkCompletion> receiveCompletions() {
    return take(recvCq, receives, qp.qpNum());
  }

  /** Takes those of one queue pair and keeps the others. Every failure explains itself. */
  private static List<WorkCompletion> take(CompletionQueue cq, List<WorkCompletion> kept, int qpn) {
    kept.addAll(cq.poll(cq.cqe()));
    List<WorkCompletion> taken = kept.stream().filter(wc -> wc.qpNum() == qpn).toList();
    kept.removeIf(wc -> wc.qpNum() == qpn);
    for (WorkCompletion wc : taken) {
      assertThat(wc.explain().isEmpty()).as("no explanation: %s", wc).isEqualTo(wc.isSuccess());
    }
    return taken;
  }

  void assertUndisturbed(ControlQp control) {
    control.assertUndisturbed(
        take(sendCq, sends, control.qpNum()), take(recvCq, receives, control.qpNum()));
  }

  /** Takes and acknowledges the asynchronous events that are there. */
  List<EventType> events() {
    return asyncEvents().stream().map(AsyncEvent::eventType).toList();
  }

  /** The same as they come, acknowledged. */
  List<AsyncEvent> asyncEvents() {
    List<AsyncEvent> events = new ArrayList<>();
    for (Optional<AsyncEvent> event = context.getAsyncEvent(Duration.ZERO);
        event.isPresent();
        event = context.getAsyncEvent(Duration.ZERO)) {
      events.add(event.get());
      context.ackAsyncEvent(event.get());
    }
    return events;
  }

  @Override
  public void close() {
    context.close();
  }

  /** Where receives come from. */
  enum Receives {
    OWN,
    SHARED
  }

  /**
   * What a side is made of.
   *
   * @param maxWr work requests of each queue
   * @param cqe entries of each completion queue
   */
  record SideShape(int maxWr, int cqe, Receives receives) {
    static final SideShape USUAL = new SideShape(64, 256, Receives.OWN);
    static final SideShape SHARED = new SideShape(64, 256, Receives.SHARED);
  }
}
