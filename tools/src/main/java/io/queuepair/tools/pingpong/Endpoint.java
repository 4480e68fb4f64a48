package io.queuepair.tools.pingpong;

import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The verbs objects of one side: one buffer to send from and receive into, one completion queue,
 * one queue pair. They go with the device.
 */
final class Endpoint {
  static final int RECV_WR_ID = 1;
  static final int SEND_WR_ID = 2;

  private static final int PAGE_BYTES = 4096;
  private static final byte FILL = 0x7b;
  private static final int PSN_LIMIT = 1 << 24;

  private final PingpongOptions options;
  private final MemoryRegion buffer;
  private final CompletionChannel channel;
  private final CompletionQueue cq;
  private final QueuePair qp;
  private final PeerAddress address;
  private final RecvWr receive;
  private final SendWr send;

  Endpoint(Context context, PingpongOptions options) {
    this.options = options;
    checkPort(context);
    Gid gid = ownGid(context);
    ProtectionDomain pd = context.allocPd();
    buffer = pd.regMr(filledBuffer(options.size), AccessFlag.LOCAL_WRITE);
    channel = options.usesEvents ? context.createCompChannel() : null;
    cq = context.createCq(options.rxDepth + 1, channel);
    qp = pd.createQp(QpInitAttr.rc(cq, new QpCap(1, options.rxDepth, 1, 1, 0)));
    modify(
        QpAttr.to(QpState.INIT).pkeyIndex(0).portNum(options.ibPort).accessFlags(Set.of()),
        "Failed to modify QP to INIT");
    int psn = ThreadLocalRandom.current().nextInt(PSN_LIMIT);
    address = new PeerAddress(0, qp.qpNum(), psn, gid);
    receive = RecvWr.of(RECV_WR_ID, buffer.sge());
    send = withInline(SendWr.send(SEND_WR_ID, buffer.sge()));
  }

  private void checkPort(Context context) {
    int ports = context.queryDevice().physPortCnt();
    if (options.ibPort > ports) {
      String noun = ports == 1 ? " port" : " ports";
      throw new CommandFailure("Couldn't get port info: the device has " + ports + noun);
    }
    int activeMtuBytes = context.queryPort(options.ibPort).activeMtu().bytes();
    if (options.mtuBytes > activeMtuBytes) {
      throw new CommandFailure(
          "MTU " + options.mtuBytes + " is above the active MTU " + activeMtuBytes);
    }
  }

  private Gid ownGid(Context context) {
    Gid gid;
    try {
      gid = context.queryGid(options.ibPort, options.gidIndex);
    } catch (VerbsException refused) {
      throw new CommandFailure(
          "can't read sgid of index " + options.gidIndex + ": " + refused.getMessage(), refused);
    }
    if (gid.isZero()) {
      throw new CommandFailure(
          "can't read sgid of index " + options.gidIndex + ": the slot is empty");
    }
    return gid;
  }

  private static ByteBuffer filledBuffer(int size) {
    try {
      ByteBuffer memory = ByteBuffer.allocateDirect(size);
      for (int i = 0; i < size; i++) {
        memory.put(i, FILL);
      }
      return memory;
    } catch (OutOfMemoryError tooLarge) {
      throw new CommandFailure(
          "Couldn't allocate work buf: " + size + " bytes (see java -XX:MaxDirectMemorySize)",
          tooLarge);
    }
  }

  private SendWr withInline(SendWr request) {
    boolean fits = qp.initAttr().cap().maxInlineData() >= options.size;
    return fits ? request.withFlags(SendFlag.SIGNALED, SendFlag.INLINE) : request;
  }

  PeerAddress address() {
    return address;
  }

  CompletionQueue cq() {
    return cq;
  }

  CompletionChannel channel() {
    return channel;
  }

  /** Brings the queue pair to RTS. */
  void connect(PeerAddress peer) {
    if (peer.gid().isIpv4Mapped() != address.gid().isIpv4Mapped()) {
      throw new CommandFailure(
          "Couldn't connect to remote QP: one GID is IPv4, the other IPv6; choose with -g");
    }
    GlobalRoute route = new GlobalRoute(peer.gid(), 0, options.gidIndex, 1, 0);
    modify(
        QpAttr.to(QpState.RTR)
            .ahAttr(new AhAttr(route, options.serviceLevel, options.ibPort))
            .pathMtu(options.mtu())
            .destQpNum(peer.qpn())
            .rqPsn(peer.psn())
            .maxDestRdAtomic(1)
            .minRnrTimer(12),
        "Failed to modify QP to RTR");
    modify(
        QpAttr.to(QpState.RTS)
            .timeout(options.ackTimeout)
            .retryCnt(7)
            .rnrRetry(7)
            .sqPsn(address.psn())
            .maxRdAtomic(1),
        "Failed to modify QP to RTS");
  }

  private void modify(QpAttr attr, String trouble) {
    try {
      qp.modify(attr);
    } catch (VerbsException refused) {
      throw new CommandFailure(trouble + ": " + refused.getMessage(), refused);
    }
  }

  void postReceives(int count) {
    qp.postRecv(Collections.nCopies(count, receive));
  }

  void postSend() {
    qp.postSend(send);
  }

  /** Marks the first byte of each page, for the server to look for. */
  void mark() {
    ByteBuffer bytes = buffer.buffer();
    for (int page = 0; page < pages(); page++) {
      bytes.put(page * PAGE_BYTES, (byte) 0);
    }
  }

  /** The pages without their mark. */
  List<Integer> invalidPages() {
    ByteBuffer bytes = buffer.buffer();
    List<Integer> invalid = new ArrayList<>();
    for (int page = 0; page < pages(); page++) {
      if (bytes.get(page * PAGE_BYTES) != 0) {
        invalid.add(page);
      }
    }
    return invalid;
  }

  private int pages() {
    return (options.size - 1) / PAGE_BYTES + 1;
  }
}
