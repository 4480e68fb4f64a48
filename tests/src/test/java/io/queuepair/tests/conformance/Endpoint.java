package io.queuepair.tests.conformance;

import io.queuepair.verbs.AccessFlag;
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
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** One side of a {@link Pair}: a device with everything that one queue pair needs. */
final class Endpoint {
  /** All rights that memory can have here. */
  static final Set<AccessFlag> ALL_RIGHTS =
      EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);

  /** What the default region is filled with. */
  static final byte FILL = (byte) 0xee;

  private static final int REGION_BYTES = 64 * 1024;
  private static final int MANY = 4096;

  private final Context context;
  private final ProtectionDomain pd;
  private final CompletionChannel channel;
  private final CompletionQueue sendCq;
  private final CompletionQueue recvCq;
  private final QueuePair qp;
  private final MemoryRegion region;
  private final Shape shape;

  Endpoint(Device device, Shape shape) {
    this.shape = shape;
    context = device.open();
    pd = context.allocPd();
    channel = context.createCompChannel();
    sendCq = context.createCq(shape.cqe, channel);
    recvCq = shape.sharesCq ? sendCq : context.createCq(shape.cqe, channel);
    qp = createQp(shape.cap);
    region = register(REGION_BYTES);
  }

  QueuePair createQp(QpCap cap) {
    return pd.createQp(new QpInitAttr(QpType.RC, sendCq, recvCq, null, cap, shape.sqSigAll));
  }

  Context context() {
    return context;
  }

  ProtectionDomain pd() {
    return pd;
  }

  CompletionChannel channel() {
    return channel;
  }

  CompletionQueue sendCq() {
    return sendCq;
  }

  CompletionQueue recvCq() {
    return recvCq;
  }

  QueuePair qp() {
    return qp;
  }

  /** 64 KiB with all rights, filled with {@link #FILL}. */
  MemoryRegion region() {
    return region;
  }

  MemoryRegion register(int bytes) {
    return register(bytes, ALL_RIGHTS);
  }

  MemoryRegion register(int bytes, Set<AccessFlag> rights) {
    return registerIn(pd, bytes, rights);
  }

  static MemoryRegion registerIn(ProtectionDomain domain, int bytes, Set<AccessFlag> rights) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
    for (int i = 0; i < bytes; i++) {
      buffer.put(i, FILL);
    }
    return domain.regMr(buffer, rights);
  }

  void toInit() {
    qp.modify(QpAttr.to(QpState.INIT).pkeyIndex(0).portNum(1).accessFlags(shape.access));
  }

  void toReadyToReceive(Endpoint peer) {
    QpAttr attr =
        QpAttr.to(QpState.RTR)
            .ahAttr(AhAttr.to(peer.context.queryGid(1, 0)))
            .pathMtu(Mtu.MTU_1024)
            .destQpNum(peer.qp.qpNum())
            .rqPsn(peer.shape.path.firstPsn)
            .minRnrTimer(12)
            .maxDestRdAtomic(4);
    qp.modify(shape.path.changes.rtr.apply(attr));
  }

  void toReadyToSend() {
    QpAttr attr =
        QpAttr.to(QpState.RTS)
            .sqPsn(shape.path.firstPsn)
            .timeout(14)
            .retryCnt(3)
            .rnrRetry(3)
            .maxRdAtomic(4);
    qp.modify(shape.path.changes.rts.apply(attr));
  }

  QpState state() {
    return qp.query().qpState();
  }

  /** Takes what the send completion queue holds, see {@link Outcomes}. */
  List<String> sends() {
    return Outcomes.of(sendCq.poll(MANY));
  }

  /** Takes what the receive completion queue holds. */
  List<String> receives() {
    return Outcomes.of(recvCq.poll(MANY));
  }

  List<WorkCompletion> sendCompletions() {
    return sendCq.poll(MANY);
  }

  List<WorkCompletion> receiveCompletions() {
    return recvCq.poll(MANY);
  }

  /** Takes the asynchronous events that are there, but for the news that the peer has spoken. */
  List<EventType> events() {
    List<EventType> events = allEvents();
    events.removeIf(event -> event == EventType.COMM_EST);
    return events;
  }

  /** Takes all asynchronous events that are there. */
  List<EventType> allEvents() {
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
   * @param cqe entries of each completion queue
   * @param access rights of the queue pair
   */
  record Shape(
      QpCap cap, int cqe, boolean sqSigAll, boolean sharesCq, Set<AccessFlag> access, Path path) {}

  /** Its first PSN, and what is unusual about the connection. */
  record Path(int firstPsn, Changes changes) {}

  /** Changes to what is set on the way to RTR and to RTS. */
  record Changes(UnaryOperator<QpAttr> rtr, UnaryOperator<QpAttr> rts) {}
}
