// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.cmsimulation;

import io.queuepair.lab.simulation.Violation;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaUdParam;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;

/** One id of a connection with its queue pair: its events, and the messages sent and received. */
final class CmEnd {
  private static final int GRH_BYTES = 40;
  private static final int MESSAGE_BYTES = 8;
  private static final int SLOT_BYTES = GRH_BYTES + MESSAGE_BYTES;
  private static final int SLOTS = 2 * CmTestCase.MOST_MESSAGES;

  /** Events that end a connection. */
  private static final Set<RdmaCmEventType> ENDS =
      EnumSet.of(
          RdmaCmEventType.REJECTED,
          RdmaCmEventType.UNREACHABLE,
          RdmaCmEventType.CONNECT_ERROR,
          RdmaCmEventType.DISCONNECTED,
          RdmaCmEventType.DEVICE_REMOVAL);

  final CmHost host;
  private final RdmaCmId id;
  final int number;
  final CmConnectionPlan plan;
  final boolean isActive;
  private final Set<RdmaCmEventType> events = EnumSet.noneOf(RdmaCmEventType.class);
  private final ByteBuffer inbox = ByteBuffer.allocateDirect(SLOTS * SLOT_BYTES);
  private final ByteBuffer outbox =
      ByteBuffer.allocateDirect(CmTestCase.MOST_MESSAGES * MESSAGE_BYTES);
  private int qpn = -1;
  private int posted;
  private int acknowledged;
  private int received;
  private int nextSequence;

  /** Time of the next planned action of the program, in nanoseconds; -1 for none. */
  private long dueNanos = -1;

  /** Time of the latest event or action of this end. */
  private long latestNanos;

  CmEnd(CmHost host, RdmaCmId id, int number, CmConnectionPlan plan, boolean isActive) {
    this.host = host;
    this.id = id;
    this.number = number;
    this.plan = plan;
    this.isActive = isActive;
  }

  RdmaCmId id() {
    return id;
  }

  int qpn() {
    return qpn;
  }

  int posted() {
    return posted;
  }

  int acknowledged() {
    return acknowledged;
  }

  int received() {
    return received;
  }

  /** Records an event and checks that each type is reported once. */
  void heard(RdmaCmEventType type, long nowNanos) {
    latestNanos = nowNanos;
    Violation.unless(events.add(type), "%s comes twice to %s", type, side());
  }

  boolean has(RdmaCmEventType type) {
    return events.contains(type);
  }

  boolean isEstablished() {
    return has(RdmaCmEventType.ESTABLISHED) && !hasEnded();
  }

  boolean hasEnded() {
    return events.stream().anyMatch(ENDS::contains);
  }

  /** Whether the program has closed this end, or has received an event that ends it. */
  boolean isOver() {
    return hasEnded() || !host.ends().contains(this);
  }

  boolean isDatagram() {
    return plan.type() == QpType.UD;
  }

  /** Sets the time of the program's next action. */
  void plan(long nanos) {
    dueNanos = nanos;
  }

  /** Whether the planned action is due; clears it, so that it is returned once. */
  boolean takeDue(long nowNanos) {
    boolean isDue = dueNanos >= 0 && nowNanos - dueNanos >= 0;
    if (isDue) {
      dueNanos = -1;
      latestNanos = nowNanos;
    }
    return isDue;
  }

  boolean hasBeenQuietFor(long nanos, long nowNanos) {
    return dueNanos < 0 && nowNanos - latestNanos > nanos;
  }

  /** Creates the queue pair and posts receives. */
  void prepare() {
    QpCap cap = new QpCap(SLOTS, SLOTS, 1, 1, 0);
    id.createQp(null, new QpInitAttr(plan.type(), null, null, null, cap, true));
    qpn = id.qp().qpNum();
    MemoryRegion region = id.regMsgs(inbox);
    for (int slot = 0; slot < SLOTS; slot++) {
      id.postRecv(
          slot, new Sge(region.addr() + (long) slot * SLOT_BYTES, SLOT_BYTES, region.lkey()));
    }
  }

  /** Sends all messages of the plan; datagrams go to the peer that SIDR found. */
  void send(RdmaUdParam peer) {
    MemoryRegion region = id.regMsgs(outbox);
    AddressHandle handle = peer == null ? null : id.pd().createAh(peer.ahAttr());
    for (int i = 0; i < plan.messages(); i++) {
      outbox.putInt(i * MESSAGE_BYTES, tag(isActive)).putInt(i * MESSAGE_BYTES + 4, i);
      Sge sge = new Sge(region.addr() + (long) i * MESSAGE_BYTES, MESSAGE_BYTES, region.lkey());
      if (handle == null) {
        id.postSend(i, sge, SendFlag.SIGNALED);
      } else {
        id.postUdSend(i, sge, handle, peer.qpNum(), SendFlag.SIGNALED);
      }
      posted++;
    }
  }

  private int tag(boolean fromActive) {
    return 2 * number + (fromActive ? 1 : 0);
  }

  /** Polls receives and checks them: of the peer; on a connection once each, in order. */
  boolean pollReceives() {
    int before = received;
    for (WorkCompletion completion : id.recvCq().poll(SLOTS)) {
      if (completion.isSuccess()) {
        accept((int) completion.wrId());
      }
    }
    return received > before;
  }

  private void accept(int slot) {
    int offset = slot * SLOT_BYTES + (isDatagram() ? GRH_BYTES : 0);
    int tag = inbox.getInt(offset);
    int sequence = inbox.getInt(offset + 4);
    Violation.unless(tag == tag(!isActive), "%s receives what %d has sent", side(), tag / 2);
    Violation.unless(
        sequence == nextSequence || isDatagram(),
        "%s receives message %d in place of %d",
        side(),
        sequence,
        nextSequence);
    nextSequence = sequence + 1;
    received++;
  }

  void pollSends() {
    for (WorkCompletion completion : id.sendCq().poll(SLOTS)) {
      acknowledged += completion.isSuccess() ? 1 : 0;
    }
  }

  private String side() {
    return isActive ? "the active side" : "the passive side";
  }

  @Override
  public String toString() {
    return (isActive ? "active " : "passive ") + number;
  }
}
