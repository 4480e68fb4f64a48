// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import io.queuepair.tools.cli.DatagramPeer;
import io.queuepair.tools.cli.DevicePort;
import io.queuepair.tools.cli.WorkBuffer;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.XrcDomain;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** The verbs objects of one side. They go with the device. */
final class PerftestContext {
  private static final int PSN_LIMIT = 1 << 24;

  /** Where READs and atomics are not measured one outstanding is all that is said. */
  private static final int USUAL_OUT_READS = 1;

  private final Context context;
  private final DevicePort port;
  private final PerftestSettings settings;
  private final NegotiatedParameters parameters;
  private final ProtectionDomain pd;
  private final CompletionChannel channel;
  private final CompletionQueue sendCq;
  private final CompletionQueue recvCq;
  private final XrcDomain domain;
  private final SharedReceiveQueue srq;
  private final List<QpChannel> lanes = new ArrayList<>();

  /** Of extended connections in both directions: what answers the initiators of the peer. */
  private final List<QueuePair> targets = new ArrayList<>();

  PerftestContext(
      Context context,
      DevicePort port,
      PerftestSettings settings,
      NegotiatedParameters parameters) {
    this.context = context;
    this.port = port;
    this.settings = settings;
    this.parameters = parameters;
    pd = context.allocPd();
    int count = settings.options().queuePairs;
    channel = settings.options().usesEvents ? context.createCompChannel() : null;
    sendCq = context.createCq(count * settings.txDepth(), channel);
    recvCq = context.createCq(settings.isReceiving() ? count * settings.rxDepth() : 1, channel);
    SrqAttr attr = SrqAttr.of(settings.rxDepth(), 1);
    domain = settings.isXrc() ? context.openXrcd() : null;
    if (domain != null) {
      srq = domain.createSrq(pd, recvCq, attr);
    } else {
      srq = settings.sharesReceives() ? pd.createSrq(attr) : null;
    }
  }

  /** Creates the queue pairs, unless the connection manager does. */
  void createQps() {
    for (int i = 0; i < settings.options().queuePairs; i++) {
      boolean isTarget = settings.isXrc() && !settings.isSending();
      addLane(isTarget ? domain.createQp() : pd.createQp(qpInitAttr()));
      if (settings.isXrc() && settings.isTwoWay()) {
        targets.add(domain.createQp());
      }
    }
  }

  QpInitAttr qpInitAttr() {
    int inline = settings.inlineSize();
    int receives = settings.isReceiving() ? settings.rxDepth() : 1;
    QpCap cap =
        srq == null
            ? new QpCap(settings.txDepth(), receives, 1, 1, inline)
            : new QpCap(settings.txDepth(), 0, 1, 0, inline);
    SharedReceiveQueue shared = settings.isXrc() ? null : srq;
    return new QpInitAttr(settings.service(), sendCq, recvCq, shared, cap, false);
  }

  /** Takes a queue pair, and gives it memory. */
  QpChannel addLane(QueuePair qp) {
    int largest = settings.largestSize(parameters.mtu());
    long bytes = parameters.bufferBytes(largest) + parameters.cacheLineBytes();
    MemoryRegion outgoing = region(bytes, Set.of());
    MemoryRegion incoming = region(bytes, settings.operation().remoteAccess());
    QpChannel lane =
        new QpChannel(
            lanes.size(),
            qp,
            srq == null ? qp::postRecv : srq::postRecv,
            settings.service() == QpType.UD ? QpChannel.GRH_BYTES : 0,
            outgoing,
            incoming,
            describe(qp, incoming));
    lanes.add(lane);
    return lane;
  }

  private PeerQp describe(QueuePair qp, MemoryRegion incoming) {
    return new PeerQp(
        settings.operation().isAnswered() ? outReads() : USUAL_OUT_READS,
        qp.qpNum(),
        ThreadLocalRandom.current().nextInt(PSN_LIMIT),
        incoming.rkey(),
        incoming.addr(),
        port.gid(),
        settings.isXrc() ? srq.srqNum() : 0);
  }

  /** READs and atomics that may be outstanding. */
  int outReads() {
    int most = (int) context.queryDevice().limit(DeviceLimit.MAX_QP_RD_ATOM);
    Integer wanted = settings.options().outReads;
    return wanted == null ? most : Math.min(wanted, most);
  }

  private MemoryRegion region(long bytes, Set<AccessFlag> remoteAccess) {
    Set<AccessFlag> access = EnumSet.of(AccessFlag.LOCAL_WRITE);
    access.addAll(remoteAccess);
    return pd.regMr(WorkBuffer.allocate(bytes), access);
  }

  /** Initiators first, then the targets of extended connections in both directions. */
  List<PeerQp> peerQps() {
    List<PeerQp> all = new ArrayList<>();
    lanes.forEach(lane -> all.add(lane.own()));
    for (int i = 0; i < targets.size(); i++) {
      all.add(describe(targets.get(i), lanes.get(i).incoming()));
    }
    return all;
  }

  /** Brings the queue pairs to RTS. An initiator has a target as its peer, and the reverse. */
  void connect(List<PeerQp> own, List<PeerQp> peers) {
    Connector connector = new Connector(settings, port, parameters.mtu());
    for (int i = 0; i < lanes.size(); i++) {
      QpChannel lane = lanes.get(i);
      PeerQp peer = peers.get(targets.isEmpty() ? i : targets.size() + i);
      lane.aim(peer);
      if (settings.service() == QpType.UD) {
        var ah = pd.createAh(connector.way(peer));
        lane.sendTo(new DatagramPeer(ah, peer.qpn(), QpChannel.QKEY));
      }
      connector.connect(lane.qp(), lane.own(), peer);
    }
    for (int i = 0; i < targets.size(); i++) {
      connector.connect(targets.get(i), own.get(lanes.size() + i), peers.get(i));
    }
  }

  /** Learns of the peers of queue pairs that are connected already. */
  void aim(List<PeerQp> peers) {
    for (int i = 0; i < lanes.size(); i++) {
      lanes.get(i).aim(peers.get(i));
    }
  }

  List<QpChannel> lanes() {
    return lanes;
  }

  ProtectionDomain pd() {
    return pd;
  }

  CompletionQueue sendCq() {
    return sendCq;
  }

  CompletionQueue recvCq() {
    return recvCq;
  }

  /** Waits for completions: by events if asked for, otherwise by polling. */
  CompletionWait completionWait() {
    return channel == null ? new BackoffWait() : new EventWait(channel, List.of(sendCq, recvCq));
  }
}
