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
 * Protocol engine of a device with all its queue pairs. A passive state machine: its inputs are
 * work requests, packets and the time; its outputs are packets, completions, events and the next
 * deadline. Not thread-safe.
 */
public final class Engine {
  /** QPN of the first queue pair; the specification reserves 0 and 1. */
  public static final int FIRST_QPN = 0x11;

  /** Number of freed QPNs kept out of use, since late packets may still arrive for them. */
  private static final int RESTING_QPNS = 64;

  /** Limit of {@link #departingUnits}, beyond which no packets are made before a verb. */
  private static final int MAX_DEPARTING = 1 << 14;

  private final CqModerator moderator = new CqModerator();
  private final DeviceStatistics statistics = new DeviceStatistics();
  private final TimerHeap timers = new TimerHeap();
  private final Deque<CqOverrun> overruns = new ArrayDeque<>();
  private final Explanations explanations = new Explanations();

  private int firstQpn = FIRST_QPN;

  /** Queue pairs by QPN, from {@link #firstQpn}; null where one was destroyed. */
  private final List<@Nullable QpEngine> qpEngines = new ArrayList<>();

  /** QPNs to be used again, the longest free first. */
  private final Deque<Integer> freeQpns = new ArrayDeque<>();

  /** QPNs not to be used again, since packets of their connection may still be in flight. */
  private final Set<Integer> heldQpns = new LinkedHashSet<>();

  private int heldQpnsDestroyed;

  private final TransmitQueue transmitQueue;
  private final SendWindowConfig sendWindow;
  private final BooleanSupplier hasRoom;

  /** Whether packets in flight may still be views of memory that the application got back. */
  private boolean givesMemoryBack;

  /** Packets made before a verb destroyed or changed their queue pair; they leave first. */
  private final Deque<TransmitUnit> departingUnits = new ArrayDeque<>();

  private final WqePool wqes = new WqePool();
  private final SrqTable srqTable = new SrqTable();
  private final FlowTable flows = new FlowTable();
  private final MulticastGroups groups = new MulticastGroups();
  private final QpEngineFactory factory;
  private final Gsi gsi;
  private final Staging staging;

  /**
   * Creates an engine without queue pairs.
   *
   * @param workListener notified when a work request ends
   * @param losses record of lost packets
   * @param gsi queue pair 1
   * @param hasRoom whether the network accepts the packets that are made before a verb
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

  public WqePool wqes() {
    return wqes;
  }

  public SrqTable sharedQueues() {
    return srqTable;
  }

  public FlowTable flows() {
    return flows;
  }

  public MulticastGroups groups() {
    return groups;
  }

  /** Queue pair 1 of all ports. */
  public Gsi gsi() {
    return gsi;
  }

  /** Moderator and clock of the completion queues; advanced at the start of each step. */
  public CqModerator moderator() {
    return moderator;
  }

  public EnumCounter<DropReason> drops() {
    return statistics.drops();
  }

  /** Sentences about requests and packets that the device refuses or drops, and about overruns. */
  public Explanations explanations() {
    return explanations;
  }

  public DeviceStatistics statistics() {
    return statistics;
  }

  /**
   * Sets the first QPN, before any queue pair exists.
   *
   * @param qpn {@link #FIRST_QPN} or higher, low enough that all QPNs stay below 2^24
   */
  public void numberFrom(int qpn) {
    assert qpEngines.isEmpty();
    firstQpn = qpn;
  }

  /** Number of queue pairs. */
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
   * Moves pending acknowledgements of a queue pair to {@link #departingUnits}. The application may
   * have polled a receive whose acknowledgement has not left; without it the peer would repeat its
   * send.
   */
  void keepAcknowledgements(QpEngine qpEngine) {
    long nowNanos = moderator.nowNanos();
    staging.flush(); // Only what is written is acknowledged.
    qpEngine.acknowledgeUnasked();
    for (Packet ack = qpEngine.pollAcknowledgement(nowNanos);
        ack != null;
        ack = qpEngine.pollAcknowledgement(nowNanos)) {
      departingUnits.addLast(ack.copy());
    }
  }

  /** Does so for all queue pairs, before the device goes. */
  public void keepAcknowledgements() {
    for (QpEngine qpEngine : qpEngines) {
      if (qpEngine != null) {
        keepAcknowledgements(qpEngine);
      }
    }
  }

  /**
   * Makes packets of the posted sends, as far as the window allows, before a verb that may change
   * or destroy the queue pair: an adapter learns of a post before the next verb. A service without
   * a window makes at most one window of packets, too.
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

  /** Makes packets of all queue pairs with a posted send that uses a memory region. */
  public void makePackets(RegisteredMemory region) {
    transmitQueue.all().stream()
        .filter(qpEngine -> qpEngine.sendsFrom(region))
        .forEach(this::makePackets);
  }

  public void makePackets() {
    transmitQueue.all().forEach(this::makePackets);
  }

  private @Nullable TransmitUnit nextBeforeVerb(QpEngine qpEngine) {
    boolean mayDepart = departingUnits.size() < MAX_DEPARTING && hasRoom.getAsBoolean();
    return mayDepart ? qpEngine.pollRequest(moderator.nowNanos()) : null;
  }

  /** Keeps the QPN of a queue pair from being used again, until {@link #releaseQpn}. */
  public void holdQpn(int qpn) {
    if (find(qpn) != null) {
      heldQpns.add(qpn);
    }
  }

  /** Lets a held QPN be used again once its queue pair is destroyed. */
  public void releaseQpn(int qpn) {
    if (heldQpns.remove(qpn) && find(qpn) == null) {
      heldQpnsDestroyed--;
      freeQpns.addLast(qpn);
    }
  }

  /** Notes that memory goes back to the application while packets in flight may still view it. */
  public void giveMemoryBack() {
    givesMemoryBack = true;
  }

  /** Whether {@link #giveMemoryBack} was called since the last query. */
  public boolean takeGivenBack() {
    boolean has = givesMemoryBack;
    givesMemoryBack = false;
    return has;
  }

  /** QPN of the queue pair that is connected to a peer's queue pair; empty if there is none. */
  public OptionalInt requesterOf(InetAddress responder, int destQpn) {
    for (QpEngine qpEngine : qpEngines) {
      if (qpEngine != null && qpEngine.qp().isConnectedTo(responder, destQpn)) {
        return OptionalInt.of(qpEngine.qp().qpn());
      }
    }
    return OptionalInt.empty();
  }

  /**
   * Hands a packet from the network to its queue pair, or counts and drops it. The packet may
   * change after the call.
   *
   * @param portNum port of arrival, from 1; 0 if no port has the destination address any more
   * @return reason of the drop, or null if a queue pair took the packet
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

  /** Description of a drop, with the values that decided it. */
  public String textOf(DropReason dropped, Packet packet) {
    return DropDescription.of(dropped, packet, find(packet.destQpn()));
  }

  /** Explains that a packet was dropped at a port, before any queue pair. */
  public void explainDrop(DropReason dropped, Packet packet) {
    explainDrop(dropped, packet, null);
  }

  /**
   * Explains a drop, except of duplicates and out-of-order packets of a reliable service, which
   * every retry causes, and of responses, whose loss shows in the completion of the request.
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

  /** Hands a packet to every queue pair of its multicast group, each of which checks it. */
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

  /** Counts a packet as received or dropped, and returns the drop reason. */
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
   * Hands a frame from the network to the queue pairs that flows steer it to.
   *
   * @param portNum port of arrival, from 1
   * @param isOurs whether the destination address is that of the port or of a group that it joined
   */
  public void dispatch(RawFrame frame, int portNum, boolean isOurs) {
    dispatchTo(flows.receiversOf(frame, portNum, isOurs), frame, portNum);
  }

  /** Hands a frame that passes a port to the queue pairs with sniffer flows. */
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

  /** Next packet or frame, valid until the next call; null if nothing may be sent now. */
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
    return departingUnits.pollFirst(); // Of a queue pair that has just failed.
  }

  /** Report on blocked queue pairs, to be read before the device changes. */
  public BlockedWorkReport blockedWork() {
    return new BlockedWorkReport(qpEngines);
  }

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

  /** Whether a timer of a queue pair or completion queue runs. */
  public boolean hasDeadline() {
    return timers.hasDeadline() || moderator.hasDeadline();
  }

  /** Time of the next call of {@link #expire}; only if {@link #hasDeadline}. */
  public long nextDeadlineNanos() {
    return Timed.earlierNanos(timers, moderator);
  }

  /** Updates transmit queue and timer of a queue pair after a change. */
  void reschedule(QpEngine qpEngine) {
    transmitQueue.join(qpEngine);
    timers.update(qpEngine);
    failOverrun();
  }

  /** Writes gathered bytes to other processes, before completions and responses announce them. */
  public void flushWrites() {
    staging.flush();
    failOverrun();
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

  /** Moves every queue pair outside RESET to ERR. */
  public void failAll(String reason) {
    for (QpEngine qpEngine : qpEngines) {
      if (qpEngine != null && qpEngine.qp().state() != QpState.RESET) {
        qpEngine.fail(reason);
        timers.update(qpEngine);
      }
    }
    failOverrun();
  }

  /** Moves the queue pairs of overrun completion queues to ERR. */
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
