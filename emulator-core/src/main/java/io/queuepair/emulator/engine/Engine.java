// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.engine.CompletionWriter.CqOverrun;
import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.memory.Staging;
import io.queuepair.emulator.profile.SendWindowConfig;
import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.emulator.queue.CqModerator;
import io.queuepair.emulator.queue.Cqe;
import io.queuepair.emulator.queue.Timed;
import io.queuepair.emulator.queue.WorkListener;
import io.queuepair.emulator.queue.WqePool;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.MutablePacket;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.RawFrame;
import io.queuepair.emulator.wire.TransmitUnit;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * All queue pairs of a device. A passive state machine: its inputs are work requests, packets and
 * the time; its outputs are packets, completions, events and the next deadline. Not thread-safe.
 */
public final class Engine {
  /** Number of the first queue pair: 0 and 1 are reserved by the specification. */
  public static final int FIRST_QPN = 0x11;

  /** Freed numbers are not used again at once: late packets may still be under way to them. */
  private static final int RESTING_QPNS = 64;

  /**
   * Packets that wait outside of queue pairs before no more are made, so that memory has a limit.
   */
  private static final int MAX_DEPARTING = 1 << 14;

  private final CqModerator moderator = new CqModerator();
  private final DeviceStatistics statistics = new DeviceStatistics();
  private final TimerHeap timers = new TimerHeap();
  private final Deque<CqOverrun> overruns = new ArrayDeque<>();
  private final Explanations explanations = new Explanations();

  private int firstQpn = FIRST_QPN;

  /** By number, from {@link #firstQpn}; null where one was destroyed. */
  private final List<@Nullable QpEngine> qpEngines = new ArrayList<>();

  /** Numbers that can be used again, the one longest free first. */
  private final Deque<Integer> freeQpns = new ArrayDeque<>();

  /** Numbers that rest, since a connection that used them may have packets on their way. */
  private final Set<Integer> heldQpns = new LinkedHashSet<>();

  private int heldQpnsDestroyed;

  private final TransmitQueue transmitQueue;
  private final SendWindowConfig sendWindow;
  private final BooleanSupplier hasRoom;

  /** Whether packets that have left may show memory that is the application's again. */
  private boolean givesMemoryBack;

  /** Packets that queue pairs made before a verb ended or changed them, and that leave first. */
  private final Deque<TransmitUnit> departingUnits = new ArrayDeque<>();

  private final WqePool wqes = new WqePool();
  private final SrqTable srqTable = new SrqTable();
  private final FlowTable flows = new FlowTable();
  private final MulticastGroups groups = new MulticastGroups();
  private final QpEngineFactory factory;
  private final Gsi gsi;
  private final Staging staging;

  /**
   * Without queue pairs yet.
   *
   * @param workListener is notified when work ends
   * @param losses what is known of packets of this device that were lost
   * @param gsi queue pair 1
   * @param hasRoom whether the network takes what queue pairs still make when they end
   */
  public Engine(
      MemoryTable memory,
      SendWindowConfig sendWindow,
      WorkListener workListener,
      LossReport losses,
      Gsi gsi,
      BooleanSupplier hasRoom) {
    this.gsi = gsi;
    staging = memory.staging();
    this.hasRoom = hasRoom;
    this.sendWindow = sendWindow;
    transmitQueue = new TransmitQueue(sendWindow);
    factory =
        new QpEngineFactory(
            new EngineContext(memory, sendWindow, new MutablePacket(), losses),
            srqTable,
            new CompletionWriter.EngineListeners(
                overruns,
                explanations,
                workListener,
                statistics,
                wqes,
                new Cqe(),
                this::giveMemoryBack));
  }

  /** Entries of work queues that are not in use. */
  public WqePool wqes() {
    return wqes;
  }

  /** The shared receive queues. */
  public SrqTable sharedQueues() {
    return srqTable;
  }

  /** The flows that lead frames to queue pairs. */
  public FlowTable flows() {
    return flows;
  }

  /** The multicast groups that queue pairs are attached to. */
  public MulticastGroups groups() {
    return groups;
  }

  /** Queue pair 1 of all ports. */
  public Gsi gsi() {
    return gsi;
  }

  /** Clock of its completion queues; to be set at the start of each step. */
  public CqModerator moderator() {
    return moderator;
  }

  public EnumCounter<DropReason> drops() {
    return statistics.drops();
  }

  /** Sentences about requests and packets that the device refuses, drops or has no room for. */
  public Explanations explanations() {
    return explanations;
  }

  /** Coverage counts. */
  public DeviceStatistics statistics() {
    return statistics;
  }

  /**
   * Numbers queue pairs from here on, before there is one. It leaves room for all below 2^24.
   *
   * @param qpn {@link #FIRST_QPN} or higher
   */
  public void numberFrom(int qpn) {
    assert qpEngines.isEmpty();
    firstQpn = qpn;
  }

  /** How many queue pairs there are. */
  public int queuePairs() {
    return qpEngines.size() - freeQpns.size() - heldQpnsDestroyed;
  }

  public QpEngine create(QpContext.QpSetup setup) {
    boolean reuses = freeQpns.size() > RESTING_QPNS;
    int qpn = reuses ? freeQpns.removeFirst() : firstQpn + qpEngines.size();
    QpEngine qpEngine = factory.create(new QpContext(qpn, setup), this);
    statistics.created(setup.type());
    if (reuses) {
      qpEngines.set(qpn - firstQpn, qpEngine);
    } else {
      qpEngines.add(qpEngine);
    }
    return qpEngine;
  }

  public void destroy(QpEngine qpEngine) {
    keepAcknowledgements(qpEngine);
    qpEngine.reset();
    groups.detachAll(qpEngine);
    timers.remove(qpEngine.deadline());
    int qpn = qpEngine.qp().qpn();
    qpEngines.set(qpn - firstQpn, null);
    if (heldQpns.contains(qpn)) {
      heldQpnsDestroyed++;
    } else {
      freeQpns.addLast(qpn);
    }
  }

  /**
   * Keeps what a queue pair still owes its peer: the application may have polled a receive whose
   * acknowledgement has not left yet, and would the peer not get it, it would repeat its send.
   */
  void keepAcknowledgements(QpEngine qpEngine) {
    long nowNanos = moderator.nowNanos();
    qpEngine.acknowledgeUnasked();
    for (Packet ack = qpEngine.pollAcknowledgement(nowNanos);
        ack != null;
        ack = qpEngine.pollAcknowledgement(nowNanos)) {
      departingUnits.addLast(ack.copy());
    }
  }

  /**
   * Makes the packets of what was posted to a queue pair, as far as its window lets them go: an
   * adapter learns of a post before the verb that comes next, which may end or change the queue
   * pair. A service without a window makes as much as one with a window would.
   */
  public void makePackets(QpEngine qpEngine) {
    if (!qpEngine.hasToSend()) {
      return;
    }
    int packets = 0;
    int bytes = 0;
    TransmitUnit unit = nextBeforeVerb(qpEngine);
    while (unit != null) {
      departingUnits.addLast(unit.copy());
      packets++;
      bytes += unit.payloadBytes();
      boolean isWindowFull =
          packets >= sendWindow.windowPackets() || bytes >= sendWindow.windowBytes();
      unit = isWindowFull ? null : nextBeforeVerb(qpEngine);
    }
    reschedule(qpEngine);
  }

  /** Makes the packets of all queue pairs with a posted request that names a memory region. */
  public void makePackets(RegisteredMemory region) {
    transmitQueue.all().stream()
        .filter(qpEngine -> qpEngine.sendsFrom(region))
        .forEach(this::makePackets);
  }

  /** Makes the packets of all queue pairs. */
  public void makePackets() {
    transmitQueue.all().forEach(this::makePackets);
  }

  private @Nullable TransmitUnit nextBeforeVerb(QpEngine qpEngine) {
    boolean mayDepart = departingUnits.size() < MAX_DEPARTING && hasRoom.getAsBoolean();
    return mayDepart ? qpEngine.pollRequest(moderator.nowNanos()) : null;
  }

  /** Keeps the number of a queue pair from being used again. */
  public void holdQpn(int qpn) {
    if (find(qpn) != null) {
      heldQpns.add(qpn);
    }
  }

  /** Lets a number that was kept be used again, once its queue pair is destroyed. */
  public void releaseQpn(int qpn) {
    if (heldQpns.remove(qpn) && find(qpn) == null) {
      heldQpnsDestroyed--;
      freeQpns.addLast(qpn);
    }
  }

  /** Memory goes back to the application, possibly before packets that show it have arrived. */
  public void giveMemoryBack() {
    givesMemoryBack = true;
  }

  /** Whether that has happened since the last call. */
  public boolean takeGivenBack() {
    boolean has = givesMemoryBack;
    givesMemoryBack = false;
    return has;
  }

  /** The queue pair that is connected to one of another device; empty if there is none. */
  public OptionalInt requesterOf(InetAddress responder, int destQpn) {
    for (QpEngine qpEngine : qpEngines) {
      if (qpEngine != null && qpEngine.qp().isConnectedTo(responder, destQpn)) {
        return OptionalInt.of(qpEngine.qp().qpn());
      }
    }
    return OptionalInt.empty();
  }

  /**
   * Finds the queue pair of a packet from the network, and hands it over; one that may not be taken
   * is counted and dropped. It may change after the call.
   *
   * @param portNum the port that it arrived at, from 1; 0 if none has its destination any more
   * @return why it was dropped, or null if a queue pair took it
   */
  public @Nullable DropReason dispatch(Packet packet, int portNum, long nowNanos) {
    if (packet.destQpn() == MulticastGroups.QPN) {
      return replicate(packet, nowNanos);
    }
    boolean isForGroup = packet.route().destination().isMulticastAddress();
    if (packet.destQpn() == Gsi.QPN && !isForGroup) {
      return noted(gsi.receiveMad(packet, portNum, nowNanos), packet, portNum, null);
    }
    QpEngine receiver = isForGroup ? null : find(packet.destQpn());
    DropReason dropped =
        receiver == null ? DropReason.NO_SUCH_QP : receiver.receive(packet, nowNanos);
    return noted(dropped, packet, portNum, receiver);
  }

  /** Why a packet that arrived was dropped, in words and numbers. */
  public String textOf(DropReason dropped, Packet packet) {
    return DropDescription.of(dropped, packet, find(packet.destQpn()));
  }

  /** Explains that a packet was dropped at a port. */
  public void explainDrop(DropReason dropped, Packet packet) {
    explainDrop(dropped, packet, null);
  }

  /**
   * Explains a drop, but not that of a duplicate, which follows from every retry, nor that of a
   * response, whose fate is in the completion of its request.
   */
  private void explainDrop(DropReason dropped, Packet packet, @Nullable QpEngine receiverQp) {
    boolean isRepeat = dropped == DropReason.DUPLICATE || dropped == DropReason.OUT_OF_ORDER;
    boolean isRecovery = isRepeat && packet.opcode().service().isReliable();
    if (!explanations.areWanted() || isRecovery || packet.opcode().isResponse()) {
      return;
    }
    int qpn = receiverQp == null ? packet.destQpn() : receiverQp.qp().qpn();
    explanations.add(
        packet.route().destination().getHostAddress()
            + (" dropped " + packet.opcode() + " for queue pair " + qpn + " from ")
            + (packet.route().source().getHostAddress() + ": ")
            + DropDescription.of(dropped, packet, receiverQp));
  }

  /** Every queue pair of the group gets the packet, and checks it by itself. */
  private @Nullable DropReason replicate(Packet packet, long nowNanos) {
    Set<QpEngine> memberQps = groups.membersOf(Gid.of(packet.route().destination()));
    if (memberQps.isEmpty()) {
      drops().count(DropReason.NO_SUCH_GROUP);
      explainDrop(DropReason.NO_SUCH_GROUP, packet, null);
      return DropReason.NO_SUCH_GROUP;
    }
    DropReason reason = null;
    boolean isTaken = false;
    for (QpEngine memberQp : memberQps) {
      int portNum = memberQp.qp().attributes().portNum();
      DropReason dropped = noted(memberQp.receive(packet, nowNanos), packet, portNum, memberQp);
      isTaken |= dropped == null;
      reason = dropped;
    }
    return isTaken ? null : reason;
  }

  /** Counts a packet that was taken, or dropped. */
  private @Nullable DropReason noted(
      @Nullable DropReason dropped, Packet packet, int portNum, @Nullable QpEngine receiverQp) {
    if (dropped == null) {
      statistics.received(packet);
    } else {
      statistics.dropped(portNum, dropped);
      explainDrop(dropped, packet, receiverQp);
    }
    return dropped;
  }

  /**
   * Hands a frame from the network to the queue pairs that the flows lead it to.
   *
   * @param portNum the port that it arrived at, from 1
   * @param isOurs whether it is addressed to that port, alone or as a member of a group
   */
  public void dispatch(RawFrame frame, int portNum, boolean isOurs) {
    dispatchTo(flows.receiversOf(frame, portNum, isOurs), frame, portNum);
  }

  /** Shows a frame that passes a port to those who look at everything. */
  public void sniff(RawFrame frame, int portNum) {
    dispatchTo(flows.sniffers(frame, portNum), frame, portNum);
  }

  private void dispatchTo(Set<QpEngine> receiverQps, RawFrame frame, int portNum) {
    for (QpEngine qpEngine : receiverQps) {
      ReceiveScaling scaling = qpEngine.qp().setup().offloads().scaling();
      QpEngine receiverQp = scaling == null ? qpEngine : scaling.queueFor(frame);
      DropReason dropped = receiverQp.receiveFrame(frame, portNum);
      reschedule(receiverQp);
      if (dropped != null) {
        drops().count(dropped);
        String what = " dropped a frame of " + frame.bytes().length() + " bytes: ";
        explanations.add("queue pair " + qpEngine.qp().qpn() + what + dropped.text());
      }
    }
  }

  /** Whether there may be something to send. */
  public boolean hasToSend() {
    return !transmitQueue.isEmpty() || !departingUnits.isEmpty() || gsi.hasToSend();
  }

  /**
   * The next packet or frame to send, or null if nothing may be sent now. The driver pulls, at the
   * end of a step or in a turn that the network gives it. A packet is valid until the next call.
   */
  public @Nullable TransmitUnit pollTransmit(long nowNanos) {
    TransmitUnit unit = next(nowNanos);
    if (unit instanceof Packet packet) {
      statistics.sent(packet);
    }
    return unit;
  }

  private @Nullable TransmitUnit next(long nowNanos) {
    if (!departingUnits.isEmpty()) {
      return departingUnits.removeFirst();
    }
    if (gsi.hasToSend()) {
      return gsi.pollMad();
    }
    for (QpEngine qpEngine = transmitQueue.first();
        qpEngine != null;
        qpEngine = transmitQueue.first()) {
      TransmitUnit unit = qpEngine.pollTransmit(nowNanos);
      if (unit == null) {
        transmitQueue.firstSentNothing();
      } else {
        transmitQueue.firstSent(unit);
      }
      timers.update(qpEngine);
      failOverrun();
      if (unit != null) {
        return unit;
      }
    }
    return null;
  }

  /** Why its queue pairs are blocked, to be asked at once. */
  public BlockedWorkReport blockedWork() {
    return new BlockedWorkReport(qpEngines);
  }

  /** Acts on deadlines that have passed. */
  public void expire(long nowNanos) {
    moderator.advance(nowNanos);
    moderator.expire();
    for (QpEngine qpEngine = timers.pollDue(nowNanos);
        qpEngine != null;
        qpEngine = timers.pollDue(nowNanos)) {
      qpEngine.expire(nowNanos);
      reschedule(qpEngine);
    }
  }

  /** Whether anything will ever become due. */
  public boolean hasDeadline() {
    return timers.hasDeadline() || moderator.hasDeadline();
  }

  /** The next moment to call {@link #expire}; only if {@link #hasDeadline}. */
  public long nextDeadlineNanos() {
    return Timed.earlierNanos(timers, moderator);
  }

  /** Looks again at what a queue pair has to send, and when its next deadline is. */
  void reschedule(QpEngine qpEngine) {
    transmitQueue.join(qpEngine);
    timers.update(qpEngine);
    failOverrun();
  }

  /** Writes what has arrived for other processes, before anybody learns that it has. */
  public void flushWrites() {
    staging.flush();
    if (!staging.takeFailed()) {
      return;
    }
    for (QpEngine qpEngine : qpEngines) {
      if (qpEngine != null) {
        qpEngine.failUnwritten();
        reschedule(qpEngine);
      }
    }
  }

  /** Moves every queue pair that is in use to Error. */
  public void failAll(String reason) {
    for (QpEngine qpEngine : qpEngines) {
      if (qpEngine != null && qpEngine.qp().state() != QpState.RESET) {
        qpEngine.fail(reason);
        timers.update(qpEngine);
      }
    }
    failOverrun();
  }

  /** A completion queue that overran is of no more use: its queue pairs go to Error. */
  void failOverrun() {
    while (!overruns.isEmpty()) {
      CqOverrun overrun = overruns.removeFirst();
      CompletionRing ring = overrun.ring();
      for (QpEngine qpEngine : qpEngines) {
        if (qpEngine != null && uses(qpEngine.qp(), ring)) {
          qpEngine.fail(overrun.text());
          qpEngine.qp().raise(EventType.QP_FATAL);
          timers.update(qpEngine);
        }
      }
    }
  }

  private boolean uses(QpContext qp, CompletionRing ring) {
    return qp.state() != QpState.ERR
        && (qp.sendCompletions() == ring
            || qp.receiveCompletions() == ring
            || (qp.type() == QpType.XRC_RECV && srqTable.useFor(qp.domain(), ring)));
  }

  private @Nullable QpEngine find(int qpn) {
    int index = qpn - firstQpn;
    return index >= 0 && index < qpEngines.size() ? qpEngines.get(index) : null;
  }
}
