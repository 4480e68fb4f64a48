// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.FlowAttrType;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.XrcDomain;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;

/** The queue pairs of a device under fire: of all types, in several states, well and badly fed. */
final class QpsUnderTest {
  static final Gid GROUP = new Gid(0xff12_0000_0000_0000L, 0x1234);

  /** Number of the first peer; that of each queue pair under test follows. */
  private static final int FIRST_PEER = 0x100;

  private static final QpCap CAP = new QpCap(16, 64, 1, 1, 0);
  private static final Set<AccessFlag> ALL =
      EnumSet.of(
          AccessFlag.REMOTE_WRITE,
          AccessFlag.REMOTE_READ,
          AccessFlag.REMOTE_ATOMIC,
          AccessFlag.FLUSH_GLOBAL,
          AccessFlag.FLUSH_PERSISTENT);
  private static final Set<AccessFlag> NONE = Set.of();

  private final DeviceUnderTest target;
  private final Gid simulatedPeer;
  private final Random random;
  private final AddressHandle ah;
  private final List<QpUnderTest> all = new ArrayList<>();
  private final SharedReceiveQueue xrcSrq;
  private final QpUnderTest moving;
  private final QpUnderTest member;
  private final QpUnderTest raw;
  private final QpUnderTest sniffer;
  private int slots;

  QpsUnderTest(DeviceUnderTest target, Gid phantom, Random random) {
    this.target = target;
    this.simulatedPeer = phantom;
    this.random = random;
    ah = target.pd().createAh(AhAttr.to(phantom));
    addReliable();
    moving = add("RC, address may go", create(QpType.RC), hookup(ALL, 4, 1), QpState.RTS, own(4));
    add("RC in INIT", create(QpType.RC), hookup(ALL, 4, 0), QpState.INIT, own(0));
    add("RC in RTR", create(QpType.RC), hookup(ALL, 4, 0), QpState.RTR, own(4));
    add("RC in SQD", create(QpType.RC), hookup(ALL, 4, 0), QpState.SQD, own(4));
    add("UC", create(QpType.UC), hookup(ALL, 4, 0), QpState.RTS, own(6));
    add("UC without rights", create(QpType.UC), hookup(NONE, 4, 0), QpState.RTS, own(0));
    add("UC with bad receives", create(QpType.UC), hookup(ALL, 4, 0), QpState.RTS, flawed());
    member = add("UD", create(QpType.UD), hookup(NONE, 0, 0), QpState.RTS, own(6));
    member.qp().attachMcast(GROUP);
    add("UD, small receives", create(QpType.UD), hookup(NONE, 0, 0), QpState.RTS, small(2));
    add("UD with bad receives", create(QpType.UD), hookup(NONE, 0, 0), QpState.RTS, flawed());
    XrcDomain domain = target.context().openXrcd();
    SrqAttr room = SrqAttr.of(64, 1);
    xrcSrq = domain.createSrq(target.pd(), target.recvCq(), room);
    addExtended(domain);
    raw = add("RAW_PACKET", create(QpType.RAW_PACKET), hookup(NONE, 0, 0), QpState.RTS, frames(0));
    raw.qp().createFlow(FlowAttr.of(FlowAttrType.ALL_DEFAULT));
    sniffer = add("sniffer", create(QpType.RAW_PACKET), hookup(NONE, 0, 0), QpState.RTS, frames(8));
  }

  private void addReliable() {
    add("RC", create(QpType.RC), hookup(ALL, 4, 0), QpState.RTS, own(8));
    add("RC without rights", create(QpType.RC), hookup(NONE, 4, 0), QpState.RTS, own(1));
    SharedReceiveQueue srq = target.pd().createSrq(SrqAttr.of(64, 1));
    QpInitAttr shared =
        new QpInitAttr(QpType.RC, target.sendCq(), target.recvCq(), srq, CAP, false);
    PacketFeed feed =
        qp -> new ReceiveReplenisher(srq::postRecv, receives(8, GuardedMemory.SLOT_BYTES), true);
    add("RC with SRQ", target.pd().createQp(shared), hookup(ALL, 1, 0), QpState.RTS, feed);
    add("RC with bad receives", create(QpType.RC), hookup(ALL, 4, 0), QpState.RTS, flawed());
  }

  private void addExtended(XrcDomain domain) {
    PacketFeed feed =
        qp -> new ReceiveReplenisher(xrcSrq::postRecv, receives(8, GuardedMemory.SLOT_BYTES), true);
    add("XRC target", domain.createQp(), hookup(ALL, 2, 0), QpState.RTS, feed);
    add("XRC initiator", create(QpType.XRC_SEND), hookup(NONE, 4, 0), QpState.RTS, own(0));
  }

  /** Where the receives of a queue pair come from. */
  private interface PacketFeed {
    ReceiveReplenisher of(QueuePair qp);
  }

  private QpUnderTest add(
      String name, QueuePair qp, QpConfig hookup, QpState goal, PacketFeed feed) {
    SendReplenisher sends = new SendReplenisher(qp, target.guardedMemory(), ah, random);
    PostedWork work = new PostedWork(sends, feed.of(qp), all.isEmpty() ? target.windows() : null);
    QpUnderTest subject = new QpUnderTest(name, qp, hookup, goal, work);
    all.add(subject);
    target.add(qp.qpNum(), work);
    return subject;
  }

  private QueuePair create(QpType type) {
    QpCap cap = type == QpType.XRC_SEND ? new QpCap(16, 0, 1, 0, 0) : CAP;
    return target
        .pd()
        .createQp(new QpInitAttr(type, target.sendCq(), target.recvCq(), null, cap, false));
  }

  private QpConfig hookup(Set<AccessFlag> access, int reads, int gidIndex) {
    return new QpConfig(access, reads, gidIndex, simulatedPeer, FIRST_PEER + all.size());
  }

  private PacketFeed own(int count) {
    return qp -> supply(qp, receives(count, GuardedMemory.SLOT_BYTES));
  }

  private PacketFeed small(int count) {
    return qp -> supply(qp, receives(count, 64));
  }

  private static ReceiveReplenisher supply(QueuePair qp, List<RecvWr> receives) {
    Consumer<RecvWr> queue = qp::postRecv;
    return new ReceiveReplenisher(queue, receives, false);
  }

  private List<RecvWr> receives(int count, int bytes) {
    List<RecvWr> receives = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int offset = slots++ * GuardedMemory.STRIDE;
      receives.add(RecvWr.of(i, target.guardedMemory().inbox().sge(offset, bytes)));
    }
    return receives;
  }

  private PacketFeed frames(int first) {
    List<RecvWr> receives = new ArrayList<>();
    for (int i = 0; i < GuardedMemory.FRAME_SLOTS / 2; i++) {
      int offset = (first + i) * GuardedMemory.FRAME_BYTES;
      receives.add(
          RecvWr.of(i, target.guardedMemory().frames().sge(offset, GuardedMemory.FRAME_BYTES)));
    }
    return qp -> supply(qp, receives);
  }

  /** Receives whose memory the device may not write. */
  private PacketFeed flawed() {
    GuardedMemory guardedMemory = target.guardedMemory();
    Sge inbox = guardedMemory.inbox().sge(0, GuardedMemory.SLOT_BYTES);
    MemoryArea foreign = guardedMemory.foreign();
    List<Sge> flawed =
        List.of(
            new Sge(inbox.addr(), GuardedMemory.SLOT_BYTES, 0x7f7f_7f7f),
            new Sge(inbox.addr(), GuardedMemory.SLOT_BYTES, target.windows().unboundRkey()),
            foreign.sge(0, GuardedMemory.SLOT_BYTES),
            guardedMemory.readable().sge(0, GuardedMemory.SLOT_BYTES),
            behind(guardedMemory.secret()));
    List<RecvWr> receives = new ArrayList<>();
    for (int i = 0; i < flawed.size(); i++) {
      receives.add(RecvWr.of(i, flawed.get(i)));
    }
    return qp -> supply(qp, receives);
  }

  /** Just behind the last byte of a area. */
  private static Sge behind(MemoryArea area) {
    return new Sge(
        area.region().addr() + area.length(), GuardedMemory.SLOT_BYTES, area.region().lkey());
  }

  /** One of them asked the phantom something. */
  void asked(ByteBuffer datagram, String opcode) {
    int index = DatagramBuilder.qpnOf(datagram) - FIRST_PEER;
    if (index >= 0 && index < all.size()) {
      int length = opcode.endsWith("READ_REQUEST") ? DatagramBuilder.readLengthOf(datagram) : 0;
      all.get(index)
          .asked(new QpUnderTest.SentRequest(opcode, DatagramBuilder.psnOf(datagram), length));
    }
  }

  List<QpUnderTest> all() {
    return all;
  }

  /** The shared receive queue that extended requests name. */
  int srqNum() {
    return xrcSrq.srqNum();
  }

  /** The one whose address may go. */
  QpUnderTest moving() {
    return moving;
  }

  /** The member of {@link #GROUP}. */
  QpUnderTest member() {
    return member;
  }

  /** The one that takes frames. */
  QpUnderTest raw() {
    return raw;
  }

  /** The one that can be made to look at all traffic. */
  QpUnderTest sniffer() {
    return sniffer;
  }
}
