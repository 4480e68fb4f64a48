// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.BindMwWr;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.FlowAttrType;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.MwBind;
import io.queuepair.verbs.MwBindInfo;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.WorkCompletion;
import io.queuepair.verbs.XrcDomain;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The device under fire, with queue pairs of all types, in several states, well and badly fed. */
final class FuzzedDevice {
  static final Gid GROUP = new Gid(0xff12_0000_0000_0000L, 0x1234);
  static final Gid OTHER_GROUP = new Gid(GROUP.subnetPrefix(), 0x9999);
  static final int QKEY = 0x1234_5678;

  private static final int FIRST_PEER = 0x100;
  private static final int WINDOW_BYTES = 512;
  private static final int RKEY_TAG = 0xff;
  private static final int FRAME_BYTES = 2_048;
  private static final int BYTES = GuardedMemory.SLOT_BYTES;
  private static final Set<AccessFlag> NONE = Set.of();
  private static final QpCap CAP = new QpCap(16, 64, 1, 1, 0);
  private static final Set<AccessFlag> ALL =
      Set.of(
          AccessFlag.REMOTE_WRITE,
          AccessFlag.REMOTE_READ,
          AccessFlag.REMOTE_ATOMIC,
          AccessFlag.FLUSH_GLOBAL,
          AccessFlag.FLUSH_PERSISTENT);

  final GuardedMemory memory;
  final List<FuzzedQp> qps = new ArrayList<>();

  /** Queue pairs that responses are for. */
  final List<FuzzedQp> senders = new ArrayList<>();

  /** The one whose address may go. */
  final FuzzedQp moving;

  /** The member of {@link #GROUP}. */
  final FuzzedQp member;

  /** The one that can be made to look at all traffic. */
  final FuzzedQp sniffer;

  /** The shared receive queue of XRC. */
  final int srqNum;

  private final ProtectionDomain pd;
  private final CompletionQueue sendCq;
  private final CompletionQueue recvCq;
  private final AddressHandle peer;
  private final Map<Integer, FuzzedQp> byNumber = new HashMap<>();
  private final WorkCompletion[] batch = new WorkCompletion[64];
  private final MemoryWindow unbound;
  private MemoryWindow type1;
  private MemoryWindow type2;
  private int type2Rkey;
  private int slots;

  FuzzedDevice(Context context, GuardedMemory.Registration registration) {
    pd = context.allocPd();
    sendCq = context.createCq(512);
    recvCq = context.createCq(512);
    memory = new GuardedMemory(registration);
    register(context.allocPd());
    unbound = pd.allocMw(MwType.TYPE_1);
    type1 = pd.allocMw(MwType.TYPE_1);
    type2 = pd.allocMw(MwType.TYPE_2);
    peer = pd.createAh(AhAttr.to(Gid.of(FuzzFabric.PEER)));
    addReliable();
    moving = add(QpType.RC, ALL, 1, QpState.RTS).receives(receives(4, BYTES));
    add(QpType.UC, ALL, 0, QpState.RTS).receives(receives(6, BYTES));
    add(QpType.UC, NONE, 0, QpState.RTS);
    add(QpType.UC, ALL, 0, QpState.RTS).receives(badReceives());
    member = add(QpType.UD, NONE, 0, QpState.RTS).receives(receives(6, BYTES));
    member.qp.attachMcast(GROUP);
    add(QpType.UD, NONE, 0, QpState.RTS).receives(receives(2, 64));
    add(QpType.UD, NONE, 0, QpState.RTS).receives(badReceives());
    XrcDomain domain = context.openXrcd();
    SharedReceiveQueue srq = domain.createSrq(pd, recvCq, SrqAttr.of(64, 1));
    srqNum = srq.srqNum();
    add(domain.createQp(), ALL, 0, QpState.RTS).shared(srq::postRecv, receives(8, BYTES));
    add(QpType.XRC_SEND, NONE, 0, QpState.RTS);
    FuzzedQp raw = add(QpType.RAW_PACKET, NONE, 0, QpState.RTS).receives(frames(0));
    raw.qp.createFlow(FlowAttr.of(FlowAttrType.ALL_DEFAULT));
    sniffer = add(QpType.RAW_PACKET, NONE, 0, QpState.RTS).receives(frames(4));
  }

  private void addReliable() {
    add(QpType.RC, ALL, 0, QpState.RTS).receives(receives(8, BYTES));
    add(QpType.RC, NONE, 0, QpState.RTS).receives(receives(1, BYTES));
    SharedReceiveQueue srq = pd.createSrq(SrqAttr.of(64, 1));
    QueuePair shared = pd.createQp(new QpInitAttr(QpType.RC, sendCq, recvCq, srq, CAP, false));
    add(shared, ALL, 0, QpState.RTS).shared(srq::postRecv, receives(8, BYTES));
    add(QpType.RC, ALL, 0, QpState.RTS).receives(badReceives());
    add(QpType.RC, ALL, 0, QpState.INIT);
    add(QpType.RC, ALL, 0, QpState.RTR).receives(receives(4, BYTES));
    add(QpType.RC, ALL, 0, QpState.SQD).receives(receives(4, BYTES));
  }

  private void register(ProtectionDomain foreignPd) {
    AccessFlag[] remote = {
      AccessFlag.LOCAL_WRITE,
      AccessFlag.REMOTE_WRITE,
      AccessFlag.REMOTE_READ,
      AccessFlag.FLUSH_GLOBAL,
      AccessFlag.FLUSH_PERSISTENT
    };
    AccessFlag local = AccessFlag.LOCAL_WRITE;
    memory.changing(pd, "open", 4_096, remote);
    memory.changing(pd, "counters", 512, local, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_ATOMIC);
    memory.fixed(pd, "readable", 1_024, GuardedMemory.PUBLIC, AccessFlag.REMOTE_READ);
    memory.fixed(pd, "secret", 512, GuardedMemory.SECRET, local);
    memory.fixed(foreignPd, "foreign", 512, GuardedMemory.SECRET, remote);
    memory.windowed(pd, "windowed", 2 * WINDOW_BYTES);
    memory.slots(pd, "inbox", 64);
    memory.changing(pd, "frames", 8 * FRAME_BYTES, local);
    memory.fixed(pd, "outbox", 1_024, GuardedMemory.PUBLIC);
    memory.changing(pd, "landing", 1_024, local);
  }

  private FuzzedQp add(QpType type, Set<AccessFlag> access, int gidIndex, QpState goal) {
    QpCap cap = type == QpType.XRC_SEND ? new QpCap(16, 0, 1, 0, 0) : CAP;
    QueuePair qp = pd.createQp(new QpInitAttr(type, sendCq, recvCq, null, cap, false));
    return add(qp, access, gidIndex, goal);
  }

  private FuzzedQp add(QueuePair qp, Set<AccessFlag> access, int gidIndex, QpState goal) {
    Gid gid = Gid.of(FuzzFabric.PEER);
    QpConfig config = new QpConfig(access, 4, gidIndex, gid, FIRST_PEER + qps.size(), QKEY);
    FuzzedQp added = new FuzzedQp(qp, config, goal, memory, peer, this::connected);
    qps.add(added);
    if (added.type() == QpType.RC || added.type() == QpType.XRC_SEND) {
      senders.add(added);
    }
    byNumber.put(qp.qpNum(), added);
    return added;
  }

  private List<RecvWr> receives(int count, int bytes) {
    List<RecvWr> receives = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Sge sge = memory.area("inbox").sge(slots++ * GuardedMemory.STRIDE, bytes);
      receives.add(RecvWr.of(i, sge));
    }
    return receives;
  }

  private List<RecvWr> frames(int first) {
    List<RecvWr> receives = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Sge sge = memory.area("frames").sge((first + i) * FRAME_BYTES, FRAME_BYTES);
      receives.add(RecvWr.of(i, sge));
    }
    return receives;
  }

  /** Receives whose memory the device may not write. */
  private List<RecvWr> badReceives() {
    Sge inbox = memory.area("inbox").sge(0, BYTES);
    MemoryRegion secret = memory.area("secret").region();
    return List.of(
        RecvWr.of(0, new Sge(inbox.addr(), BYTES, 0x7f7f_7f7f)),
        RecvWr.of(1, new Sge(inbox.addr(), BYTES, unbound.rkey())),
        RecvWr.of(2, memory.area("foreign").sge(0, BYTES)),
        RecvWr.of(3, memory.area("readable").sge(0, BYTES)),
        RecvWr.of(4, new Sge(secret.addr() + secret.length(), BYTES, secret.lkey())));
  }

  /** Binds windows over the first half of an area, in each life of the first queue pair. */
  private void connected(FuzzedQp qp) {
    if (qp != qps.get(0)) {
      return;
    }
    type1.close();
    type2.close();
    type1 = pd.allocMw(MwType.TYPE_1);
    type2 = pd.allocMw(MwType.TYPE_2);
    type2Rkey = (type2.rkey() & ~RKEY_TAG) | ((type2.rkey() + 1) & RKEY_TAG);
    MemoryRegion region = memory.area("windowed").region();
    MwBindInfo info =
        new MwBindInfo(region, region.addr(), WINDOW_BYTES, Set.of(AccessFlag.REMOTE_READ));
    qp.bind(type1, new MwBind(0, Set.of(SendFlag.SIGNALED), info));
    qp.post(new BindMwWr(0, Set.of(SendFlag.SIGNALED), type2, type2Rkey, info));
  }

  /** Keys of windows: of all queue pairs, of one, and of none. */
  List<Integer> windowKeys() {
    return List.of(type1.rkey(), type2Rkey, unbound.rkey());
  }

  /** The queue pair that sends to a number of the peer; null if there is none. */
  FuzzedQp sender(int peerQpn) {
    int index = peerQpn - FIRST_PEER;
    return index >= 0 && index < qps.size() ? qps.get(index) : null;
  }

  /** Takes all completions; those of receives make room for others. */
  void poll() {
    for (int count = sendCq.poll(batch); count > 0; count = sendCq.poll(batch)) {
      for (int i = 0; i < count; i++) {
        byNumber.get(batch[i].qpNum()).sendCompleted();
      }
    }
    for (int count = recvCq.poll(batch); count > 0; count = recvCq.poll(batch)) {
      for (int i = 0; i < count; i++) {
        byNumber.get(batch[i].qpNum()).receiveCompleted(batch[i]);
      }
    }
  }
}
