package io.queuepair.tools.perftest;

import io.queuepair.tools.cli.DevicePort;
import io.queuepair.tools.cli.WorkBuffer;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** The verbs objects of one side. They go with the device. */
final class Endpoint {
  private static final int PSN_LIMIT = 1 << 24;

  /** Where READs and atomics are not measured one outstanding is all that is said. */
  private static final int USUAL_OUT_READS = 1;

  private final Context context;
  private final DevicePort port;
  private final Settings settings;
  private final Agreement agreement;
  private final ProtectionDomain pd;
  private final CompletionQueue sendCq;
  private final CompletionQueue recvCq;
  private final List<Lane> lanes = new ArrayList<>();

  Endpoint(Context context, DevicePort port, Settings settings, Agreement agreement) {
    this.context = context;
    this.port = port;
    this.settings = settings;
    this.agreement = agreement;
    pd = context.allocPd();
    int count = settings.options().queuePairs;
    sendCq = context.createCq(count * settings.txDepth());
    recvCq = context.createCq(settings.isReceiving() ? count * settings.rxDepth() : 1);
    for (int i = 0; i < count; i++) {
      lanes.add(createLane(i));
    }
  }

  private Lane createLane(int index) {
    int largest = settings.largestSize(agreement.mtu());
    long bytes = agreement.bufferBytes(largest) + agreement.cacheLineBytes();
    MemoryRegion outgoing = region(bytes, Set.of());
    MemoryRegion incoming = region(bytes, settings.operation().remoteAccess());
    boolean isReceiving = settings.isReceiving();
    QpCap cap = new QpCap(settings.txDepth(), isReceiving ? settings.rxDepth() : 1, 1, 1, 0);
    QueuePair qp =
        pd.createQp(new QpInitAttr(settings.service(), sendCq, recvCq, null, cap, false));
    int psn = ThreadLocalRandom.current().nextInt(PSN_LIMIT);
    Destination own =
        new Destination(outReads(), qp.qpNum(), psn, incoming.rkey(), incoming.addr(), port.gid());
    return new Lane(index, qp, outgoing, incoming, own);
  }

  private int outReads() {
    if (!settings.operation().isAnswered()) {
      return USUAL_OUT_READS;
    }
    int most = (int) context.queryDevice().limit(DeviceLimit.MAX_QP_RD_ATOM);
    Integer wanted = settings.options().outReads;
    return wanted == null ? most : Math.min(wanted, most);
  }

  private MemoryRegion region(long bytes, Set<AccessFlag> remoteAccess) {
    Set<AccessFlag> access = EnumSet.of(AccessFlag.LOCAL_WRITE);
    access.addAll(remoteAccess);
    return pd.regMr(WorkBuffer.allocate(bytes), access);
  }

  List<Destination> destinations() {
    return lanes.stream().map(Lane::own).toList();
  }

  /** Brings the queue pairs to RTS. */
  void connect(List<Destination> peers) {
    Connector connector = new Connector(settings, port, agreement.mtu());
    for (int i = 0; i < lanes.size(); i++) {
      boolean isDatagram = settings.service() == QpType.UD;
      Destination peer = peers.get(i);
      lanes.get(i).aim(peer, isDatagram ? pd.createAh(connector.way(peer)) : null);
      connector.connect(lanes.get(i));
    }
  }

  List<Lane> lanes() {
    return lanes;
  }

  CompletionQueue sendCq() {
    return sendCq;
  }

  CompletionQueue recvCq() {
    return recvCq;
  }
}
