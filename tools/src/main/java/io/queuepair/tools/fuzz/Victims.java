package io.queuepair.tools.fuzz;

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
final class Victims {
  static final Gid GROUP = new Gid(0xff12_0000_0000_0000L, 0x1234);

  /** Number of the first peer; that of each victim follows. */
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

  private final Target target;
  private final Gid phantom;
  private final Random random;
  private final AddressHandle ah;
  private final List<Victim> all = new ArrayList<>();
  private final SharedReceiveQueue xrcSrq;
  private final Victim moving;
  private final Victim member;
  private final Victim raw;
  private final Victim sniffer;
  private int slots;

  Victims(Target target, Gid phantom, Random random) {
    this.target = target;
    this.phantom = phantom;
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
    Feed feed = qp -> new ReceiveSupply(srq::postRecv, receives(8, Estate.SLOT_BYTES), true);
    add("RC with SRQ", target.pd().createQp(shared), hookup(ALL, 1, 0), QpState.RTS, feed);
    add("RC with bad receives", create(QpType.RC), hookup(ALL, 4, 0), QpState.RTS, flawed());
  }

  private void addExtended(XrcDomain domain) {
    Feed feed = qp -> new ReceiveSupply(xrcSrq::postRecv, receives(8, Estate.SLOT_BYTES), true);
    add("XRC target", domain.createQp(), hookup(ALL, 2, 0), QpState.RTS, feed);
    add("XRC initiator", create(QpType.XRC_SEND), hookup(NONE, 4, 0), QpState.RTS, own(0));
  }

  /** Where the receives of a queue pair come from. */
  private interface Feed {
    ReceiveSupply of(QueuePair qp);
  }

  private Victim add(String name, QueuePair qp, Hookup hookup, QpState goal, Feed feed) {
    SendSupply sends = new SendSupply(qp, target.estate(), ah, random);
    Work work = new Work(sends, feed.of(qp), all.isEmpty() ? target.windows() : null);
    Victim victim = new Victim(name, qp, hookup, goal, work);
    all.add(victim);
    target.add(qp.qpNum(), work);
    return victim;
  }

  private QueuePair create(QpType type) {
    QpCap cap = type == QpType.XRC_SEND ? new QpCap(16, 0, 1, 0, 0) : CAP;
    return target
        .pd()
        .createQp(new QpInitAttr(type, target.sendCq(), target.recvCq(), null, cap, false));
  }

  private Hookup hookup(Set<AccessFlag> access, int reads, int gidIndex) {
    return new Hookup(access, reads, gidIndex, phantom, FIRST_PEER + all.size());
  }

  private Feed own(int count) {
    return qp -> supply(qp, receives(count, Estate.SLOT_BYTES));
  }

  private Feed small(int count) {
    return qp -> supply(qp, receives(count, 64));
  }

  private static ReceiveSupply supply(QueuePair qp, List<RecvWr> receives) {
    Consumer<RecvWr> queue = qp::postRecv;
    return new ReceiveSupply(queue, receives, false);
  }

  private List<RecvWr> receives(int count, int bytes) {
    List<RecvWr> receives = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int offset = slots++ * Estate.STRIDE;
      receives.add(RecvWr.of(i, target.estate().inbox().sge(offset, bytes)));
    }
    return receives;
  }

  private Feed frames(int first) {
    List<RecvWr> receives = new ArrayList<>();
    for (int i = 0; i < Estate.FRAME_SLOTS / 2; i++) {
      int offset = (first + i) * Estate.FRAME_BYTES;
      receives.add(RecvWr.of(i, target.estate().frames().sge(offset, Estate.FRAME_BYTES)));
    }
    return qp -> supply(qp, receives);
  }

  /** Receives whose memory the device may not write. */
  private Feed flawed() {
    Estate estate = target.estate();
    Sge inbox = estate.inbox().sge(0, Estate.SLOT_BYTES);
    Parcel foreign = estate.foreign();
    List<Sge> flawed =
        List.of(
            new Sge(inbox.addr(), Estate.SLOT_BYTES, 0x7f7f_7f7f),
            new Sge(inbox.addr(), Estate.SLOT_BYTES, target.windows().unboundRkey()),
            foreign.sge(0, Estate.SLOT_BYTES),
            estate.readable().sge(0, Estate.SLOT_BYTES),
            behind(estate.secret()));
    List<RecvWr> receives = new ArrayList<>();
    for (int i = 0; i < flawed.size(); i++) {
      receives.add(RecvWr.of(i, flawed.get(i)));
    }
    return qp -> supply(qp, receives);
  }

  /** Just behind the last byte of a parcel. */
  private static Sge behind(Parcel parcel) {
    return new Sge(
        parcel.region().addr() + parcel.length(), Estate.SLOT_BYTES, parcel.region().lkey());
  }

  /** One of them asked the phantom something. */
  void asked(ByteBuffer datagram, String opcode) {
    int index = Draft.qpnOf(datagram) - FIRST_PEER;
    if (index >= 0 && index < all.size()) {
      int length = opcode.endsWith("READ_REQUEST") ? Draft.readLengthOf(datagram) : 0;
      all.get(index).asked(new Victim.Request(opcode, Draft.psnOf(datagram), length));
    }
  }

  List<Victim> all() {
    return all;
  }

  /** The shared receive queue that extended requests name. */
  int srqNum() {
    return xrcSrq.srqNum();
  }

  /** The one whose address may go. */
  Victim moving() {
    return moving;
  }

  /** The member of {@link #GROUP}. */
  Victim member() {
    return member;
  }

  /** The one that takes frames. */
  Victim raw() {
    return raw;
  }

  /** The one that can be made to look at all traffic. */
  Victim sniffer() {
    return sniffer;
  }
}
