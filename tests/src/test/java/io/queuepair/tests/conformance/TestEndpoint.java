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
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** One side of a {@link Pair}: a device with everything that one queue pair needs. */
public final class TestEndpoint {
  /** All rights that memory can have here. */
  public static final Set<AccessFlag> ALL_RIGHTS =
      EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);

  /** What the default region is filled with. */
  public static final byte FILL = (byte) 0xee;

  /** Of every queue pair for datagrams. */
  public static final int QKEY = 200;

  private static final int REGION_BYTES = 64 * 1024;
  private static final int MANY = 4096;

  private final Context context;
  private final ProtectionDomain pd;
  private final CompletionChannel channel;
  private final CompletionQueue sendCq;
  private final CompletionQueue recvCq;
  private final QueuePair qp;
  private final MemoryRegion region;
  private final EndpointShape shape;
  private AddressHandle ah;

  TestEndpoint(Device device, EndpointShape shape) {
    this.shape = shape;
    context = device.open();
    pd = context.allocPd();
    channel = context.createCompChannel();
    sendCq = context.createCq(shape.cqe, channel);
    recvCq = shape.sharesCq ? sendCq : context.createCq(shape.cqe, channel);
    qp = createQp(shape.cap);
    region = register(REGION_BYTES);
  }

  /** Another one like its own. */
  public QueuePair createQp(QpCap cap) {
    return createQp(shape.type, cap);
  }

  /** One of another type on the same completion queues. */
  public QueuePair createQp(QpType type, QpCap cap) {
    QpInitAttr attr = new QpInitAttr(type, sendCq, recvCq, null, cap, shape.sqSigAll);
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
    QpAttr attr = QpAttr.to(QpState.INIT).pkeyIndex(0).portNum(1);
    qp.modify(isDatagram() ? attr.qkey(QKEY) : attr.qpAccessFlags(shape.access));
  }

  public void toReadyToReceive(TestEndpoint peer) {
    QpAttr attr = QpAttr.to(QpState.RTR);
    if (isDatagram()) {
      ah = pd.createAh(AhAttr.to(peer.context.queryGid(1, 0)));
    } else {
      attr.ahAttr(AhAttr.to(peer.context.queryGid(1, 0)))
          .pathMtu(Mtu.MTU_1024)
          .destQpNum(peer.qp.qpNum())
          .rqPsn(peer.shape.path.firstPsn);
    }
    if (isReliable()) {
      attr.minRnrTimer(12).maxDestRdAtomic(4);
    }
    qp.modify(shape.path.changes.rtr.apply(attr));
  }

  public void toReadyToSend() {
    QpAttr attr = QpAttr.to(QpState.RTS).sqPsn(shape.path.firstPsn);
    if (isReliable()) {
      attr.timeout(14).retryCnt(3).rnrRetry(3).maxRdAtomic(4);
    }
    qp.modify(shape.path.changes.rts.apply(attr));
  }

  private boolean isReliable() {
    return shape.type == QpType.RC;
  }

  private boolean isDatagram() {
    return shape.type == QpType.UD;
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
    List<EventType> events = new ArrayList<>();
    Optional<AsyncEvent> event = context.getAsyncEvent(Duration.ZERO);
    while (event.isPresent()) {
      events.add(event.get().eventType());
      context.ackAsyncEvent(event.get());
      event = context.getAsyncEvent(Duration.ZERO);
    }
    return events;
  }

  /**
   * What an endpoint is made of.
   *
   * @param type RC or UD
   * @param cqe entries of each completion queue
   * @param sendOps operations of extended posting, possibly none
   * @param access rights of the queue pair
   */
  record EndpointShape(
      QpType type,
      QpCap cap,
      int cqe,
      boolean sqSigAll,
      boolean sharesCq,
      Set<SendOpsFlag> sendOps,
      Set<AccessFlag> access,
      EndpointPath path) {}

  /** Its first PSN, and what is unusual about the connection. */
  record EndpointPath(int firstPsn, Changes changes) {}

  /** Changes to what is set on the way to RTR and to RTS. */
  record Changes(UnaryOperator<QpAttr> rtr, UnaryOperator<QpAttr> rts) {}
}
