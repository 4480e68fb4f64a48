// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

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
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.WorkCompletion;
import io.queuepair.verbs.XrcDomain;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** One side of a {@link Pair}: a device with everything that one queue pair needs. */
public final class TestEndpoint {
  /** All rights that memory can have here. */
  public static final Set<AccessFlag> ALL_RIGHTS =
      EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);

  /** Byte that the default region is filled with. */
  public static final byte FILL = (byte) 0xee;

  /** Of every queue pair for datagrams. */
  public static final int QKEY = Attributes.QKEY;

  private static final int REGION_BYTES = 64 * 1024;
  private static final int MANY = 4096;

  private final Context context;
  private final ProtectionDomain pd;
  private final CompletionChannel channel;
  private final CompletionQueue sendCq;
  private final CompletionQueue recvCq;
  private final XrcDomain xrcd;
  private final SharedReceiveQueue srq;
  private final QueuePair qp;
  private final MemoryRegion region;
  private final QpType type;
  private final Pair.Builder shape;
  private final int firstPsn;

  /** The other side, once it is known. */
  private TestEndpoint peer;

  private AddressHandle ah;

  TestEndpoint(Device device, QpType type, Pair.Builder shape, int firstPsn) {
    this.type = type;
    this.shape = shape;
    this.firstPsn = firstPsn;
    context = device.open();
    pd = context.allocPd();
    channel = context.createCompChannel();
    sendCq = context.createCq(shape.cqe, channel);
    recvCq = shape.sharesCq ? sendCq : context.createCq(shape.cqe, channel);
    xrcd = type == QpType.XRC_RECV ? context.openXrcd() : null;
    srq = createSrq();
    qp = xrcd == null ? createQp(shape.cap) : xrcd.createQp();
    region = register(REGION_BYTES);
  }

  private SharedReceiveQueue createSrq() {
    if (xrcd != null) {
      SrqAttr attr = shape.srq == null ? SrqAttr.of(shape.cap.maxRecvWr(), 1) : shape.srq;
      return xrcd.createSrq(pd, recvCq, attr);
    }
    return shape.srq == null || type == QpType.XRC_SEND ? null : pd.createSrq(shape.srq);
  }

  /** Another one like its own. */
  public QueuePair createQp(QpCap cap) {
    return createQp(type, cap);
  }

  /** One of another type on the same completion queues. */
  public QueuePair createQp(QpType otherType, QpCap cap) {
    QpInitAttr attr = new QpInitAttr(otherType, sendCq, recvCq, srq, cap, shape.sqSigAll);
    if (shape.sendOps.isEmpty()) {
      return pd.createQp(attr);
    }
    QpInitAttrEx extended = QpInitAttrEx.of(attr).withSendOps(shape.sendOps);
    boolean segments = shape.sendOps.contains(SendOpsFlag.WITH_TSO);
    return pd.createQpEx(segments ? extended.withMaxTsoHeader(RawHost.MAX_TSO_HEADER) : extended);
  }

  public Context context() {
    return context;
  }

  public ProtectionDomain pd() {
    return pd;
  }

  public CompletionChannel channel() {
    return channel;
  }

  public CompletionQueue sendCq() {
    return sendCq;
  }

  public CompletionQueue recvCq() {
    return recvCq;
  }

  /** Null unless set, or the target of XRC. */
  public SharedReceiveQueue srq() {
    return srq;
  }

  public QueuePair qp() {
    return qp;
  }

  /** 64 KiB with all rights, filled with {@link #FILL}. */
  public MemoryRegion region() {
    return region;
  }

  public MemoryRegion register(int bytes) {
    return register(bytes, ALL_RIGHTS);
  }

  public MemoryRegion register(int bytes, Set<AccessFlag> rights) {
    return registerIn(pd, bytes, rights);
  }

  public static MemoryRegion registerIn(
      ProtectionDomain domain, int bytes, Set<AccessFlag> rights) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
    byte[] fill = new byte[bytes];
    Arrays.fill(fill, FILL);
    buffer.put(0, fill);
    return domain.regMr(buffer, rights);
  }

  public void toInit() {
    QpAttr attr = Attributes.init(type);
    qp.modify(type == QpType.UD ? attr : attr.qpAccessFlags(shape.access));
  }

  public void toReadyToReceive(TestEndpoint newPeer) {
    peer = newPeer;
    Gid gid = peer.context.queryGid(1, 0);
    ah = type == QpType.UD ? pd.createAh(AhAttr.to(gid)) : null;
    qp.modify(shape.rtr.apply(Attributes.rtr(type, gid, peer.qp.qpNum(), peer.firstPsn)));
  }

  public void toReadyToSend() {
    qp.modify(shape.rts.apply(Attributes.rts(type, firstPsn)));
  }

  /** The request as it reaches the peer, whatever the type. */
  public SendWr toPeer(SendWr wr) {
    return switch (type) {
      case UD -> wr.to(ah, peer.qp.qpNum(), QKEY);
      case XRC_SEND -> wr.toSrq(peer.srq.srqNum());
      case RC, UC, XRC_RECV, RAW_PACKET, DRIVER -> wr;
    };
  }

  public void postSend(SendWr wr) {
    qp.postSend(toPeer(wr));
  }

  /** Posts a receive where this side takes them from. */
  public void postRecv(RecvWr wr) {
    if (srq == null) {
      qp.postRecv(wr);
    } else {
      srq.postRecv(wr);
    }
  }

  /** Where datagrams for the peer go. */
  public AddressHandle ah() {
    return ah;
  }

  public QpState state() {
    return qp.query().qpState();
  }

  /** Takes what the send completion queue holds, see {@link Outcomes}. */
  public List<String> sends() {
    return Outcomes.of(sendCq.poll(MANY));
  }

  /** Takes what the receive completion queue holds. */
  public List<String> receives() {
    return Outcomes.of(recvCq.poll(MANY));
  }

  public List<WorkCompletion> sendCompletions() {
    return sendCq.poll(MANY);
  }

  public List<WorkCompletion> receiveCompletions() {
    return recvCq.poll(MANY);
  }

  /** Takes the asynchronous events that are there. */
  public List<EventType> events() {
    return events(context);
  }

  public static List<EventType> events(Context context) {
    List<EventType> events = new ArrayList<>();
    Optional<AsyncEvent> event = context.getAsyncEvent(Duration.ZERO);
    while (event.isPresent()) {
      events.add(event.get().eventType());
      context.ackAsyncEvent(event.get());
      event = context.getAsyncEvent(Duration.ZERO);
    }
    return events;
  }
}
