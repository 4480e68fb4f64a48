package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.profile.Pacing;
import io.queuepair.emulator.qp.QpContext;
import io.queuepair.emulator.queue.CompletionClock;
import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.queue.WorkWatch;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Outgoing;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketSlot;
import io.queuepair.emulator.wire.RawFrame;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * All queue pairs of a device at work. A passive state machine: work, packets and the time go in;
 * packets, completions, events and the next deadline come out. Not thread-safe.
 */
public final class Engine {
  /** Number of the first queue pair: 0 and 1 are reserved by the specification. */
  private static final int FIRST_QPN = 0x11;

  /** Freed numbers are not used again at once: late packets may still be under way to them. */
  private static final int RESTING_QPNS = 64;

  private final CompletionClock completionClock = new CompletionClock();
  private final Visits visits = new Visits();
  private final PortCounters counters = new PortCounters();
  private final Deadlines deadlines = new Deadlines();
  private final Deque<CompletionRing> overruns = new ArrayDeque<>();

  /** By number, from {@link #FIRST_QPN}; null where one was destroyed. */
  private final List<QpLifecycle> connections = new ArrayList<>();

  /** Numbers that can be used again, the one longest free first. */
  private final Deque<Integer> freeQpns = new ArrayDeque<>();

  private final Senders senders;

  /** Whether packets that have left may show memory that is the application's again. */
  private boolean givesMemoryBack;

  /** Acknowledgements that queue pairs, destroyed since, still owe their peers. */
  private final Deque<Packet> farewells = new ArrayDeque<>();

  private final SharedQueues sharedQueues = new SharedQueues();
  private final FlowTable flows = new FlowTable();
  private final MulticastGroups groups = new MulticastGroups();
  private final LifecycleFactory lifecycles;

  /**
   * Without queue pairs yet.
   *
   * @param watch is told when work ends
   * @param losses what is known of packets of this device that were lost
   */
  public Engine(MemoryTable memory, Pacing pacing, WorkWatch watch, LossReport losses) {
    senders = new Senders(pacing);
    lifecycles =
        new LifecycleFactory(
            new SharedParts(memory, pacing, new PacketSlot(), losses),
            sharedQueues,
            new Completions.Reports(overruns, counters, watch, visits, this::giveMemoryBack));
  }

  /** The shared receive queues. */
  public SharedQueues sharedQueues() {
    return sharedQueues;
  }

  /** The flows that lead frames to queue pairs. */
  public FlowTable flows() {
    return flows;
  }

  /** The multicast groups that queue pairs are attached to. */
  public MulticastGroups groups() {
    return groups;
  }

  /** What its completion queues know the time from; to be told it at the start of each step. */
  public CompletionClock completionClock() {
    return completionClock;
  }

  /** What the ports have counted. */
  public PortCounters counters() {
    return counters;
  }

  public Tally<DropReason> drops() {
    return visits.drops();
  }

  /** What it has come across. */
  public Visits visits() {
    return visits;
  }

  /** How many queue pairs there are. */
  public int queuePairs() {
    return connections.size() - freeQpns.size();
  }

  public QpContext create(QpContext.QpSetup setup) {
    boolean reuses = freeQpns.size() > RESTING_QPNS;
    int qpn = reuses ? freeQpns.removeFirst() : FIRST_QPN + connections.size();
    QpContext qp = new QpContext(qpn, setup);
    QpLifecycle connection = lifecycles.of(qp);
    visits.created(qp.type());
    if (reuses) {
      connections.set(qpn - FIRST_QPN, connection);
    } else {
      connections.add(connection);
    }
    return qp;
  }

  public void destroy(QpContext qp) {
    QpLifecycle connection = of(qp);
    // The application may have polled a receive whose acknowledgement has not left yet.
    long nowNanos = completionClock.nowNanos();
    for (Packet ack = connection.pollAcknowledgement(nowNanos);
        ack != null;
        ack = connection.pollAcknowledgement(nowNanos)) {
      farewells.addLast(ack.copy());
    }
    connection.reset();
    groups.detachAll(qp);
    deadlines.remove(connection.deadline());
    connections.set(qp.qpn() - FIRST_QPN, null);
    freeQpns.addLast(qp.qpn());
  }

  /** Memory goes back to the application, maybe before packets that show it have arrived. */
  public void giveMemoryBack() {
    givesMemoryBack = true;
  }

  /** Whether that has happened since the last call. */
  public boolean takeGivenBack() {
    boolean has = givesMemoryBack;
    givesMemoryBack = false;
    return has;
  }

  /** Enters the state that a checked {@code ibv_modify_qp} asked for. */
  public void enter(QpContext qp, QpState next) {
    QpLifecycle connection = of(qp);
    connection.enter(next);
    settle(connection);
  }

  /** RETRY_CNT or RNR_RETRY was set: the counters of a queue pair start again. */
  public void retriesChanged(QpContext qp) {
    of(qp).retriesChanged();
  }

  /** Looks again at a queue pair whose rate was changed. */
  public void reconsider(QpContext qp) {
    settle(of(qp));
  }

  /** Takes the alternate path of a queue pair that is armed for it. */
  public void migrate(QpContext qp) {
    QpLifecycle connection = of(qp);
    connection.migration().migrateIfArmed();
    settle(connection);
  }

  /** The queue pair that is connected to one of another device; empty if there is none. */
  public OptionalInt requesterOf(InetAddress responder, int destQpn) {
    for (QpLifecycle connection : connections) {
      if (connection != null && connection.qp().isConnectedTo(responder, destQpn)) {
        return OptionalInt.of(connection.qp().qpn());
      }
    }
    return OptionalInt.empty();
  }

  /** Next PSN expected from the peer. */
  public int expectedPsn(QpContext qp) {
    return of(qp).expectedPsn();
  }

  /** Next PSN that will be sent for the first time. */
  public int nextPsn(QpContext qp) {
    return of(qp).nextPsn();
  }

  public void postSend(QpContext qp, SendWqe wqe) {
    QpLifecycle connection = of(qp);
    connection.postSend(wqe);
    settle(connection);
  }

  public void postReceive(QpContext qp, RecvWqe wqe) {
    of(qp).postReceive(wqe);
    failOverrun();
  }

  /**
   * Takes a packet from the network; one that may not be taken is counted and dropped. It may
   * change after the call.
   *
   * @param portNum the port that it arrived at, from 1; 0 if none has its destination any more
   * @return why nobody took it, or null if somebody did
   */
  public DropReason receive(Packet packet, int portNum, long nowNanos) {
    if (packet.destQpn() == MulticastGroups.QPN) {
      return replicate(packet, nowNanos);
    }
    boolean isForGroup = packet.route().destination().isMulticastAddress();
    return deliver(isForGroup ? null : find(packet.destQpn()), packet, portNum, nowNanos);
  }

  /** Why a packet was dropped, in words; also what is with a queue pair that takes none. */
  public String textOf(DropReason dropped, int destQpn) {
    QpLifecycle connection = dropped == DropReason.WRONG_QP_STATE ? find(destQpn) : null;
    return connection == null
        ? dropped.text()
        : dropped.text() + " It is in " + connection.stateInWords() + ".";
  }

  /** Every queue pair of the group gets the packet, and checks it by itself. */
  private DropReason replicate(Packet packet, long nowNanos) {
    Set<QpContext> members = groups.membersOf(Gid.of(packet.route().destination()));
    if (members.isEmpty()) {
      drops().count(DropReason.NO_SUCH_GROUP);
      return DropReason.NO_SUCH_GROUP;
    }
    DropReason why = null;
    boolean isTaken = false;
    for (QpContext member : members) {
      int portNum = member.attributes().portNum();
      DropReason dropped = deliver(of(member), packet, portNum, nowNanos);
      isTaken |= dropped == null;
      why = dropped;
    }
    return isTaken ? null : why;
  }

  private DropReason deliver(QpLifecycle connection, Packet packet, int portNum, long nowNanos) {
    DropReason dropped =
        connection == null ? DropReason.NO_SUCH_QP : PacketMatch.mismatch(connection, packet);
    if (dropped == null) {
      dropped = connection.receive(packet, nowNanos);
      settle(connection);
    } else if (dropped == DropReason.WRONG_PEER) {
      connection.migration().noteRefused(packet);
    }
    if (dropped == null) {
      visits.received(packet);
    } else {
      drops().count(dropped);
      counters.dropped(portNum, dropped);
    }
    return dropped;
  }

  /**
   * Takes a frame from the network and puts it where the flows lead it.
   *
   * @param portNum the port that it arrived at, from 1
   * @param isOurs whether it is addressed to that port, as one of many maybe
   */
  public void receive(RawFrame frame, int portNum, boolean isOurs) {
    deliver(frame, portNum, flows.receiversOf(frame, portNum, isOurs));
  }

  /** Shows a frame that passes a port to those who look at everything. */
  public void sniff(RawFrame frame, int portNum) {
    deliver(frame, portNum, flows.sniffers(frame, portNum));
  }

  private void deliver(RawFrame frame, int portNum, Set<QpContext> receivers) {
    for (QpContext qp : receivers) {
      QpLifecycle lifecycle = of(qp);
      DropReason dropped = lifecycle.receive(frame, portNum);
      settle(lifecycle);
      if (dropped != null) {
        drops().count(dropped);
      }
    }
  }

  /** Whether there may be something to send. */
  public boolean hasToSend() {
    return !senders.isEmpty() || !farewells.isEmpty();
  }

  /**
   * The next packet or frame to send, or null if nothing may be sent now. A packet is valid until
   * the next call.
   */
  public Outgoing pollTransmit(long nowNanos) {
    Outgoing outgoing = next(nowNanos);
    if (outgoing instanceof Packet packet) {
      visits.sent(packet);
    }
    return outgoing;
  }

  private Outgoing next(long nowNanos) {
    if (!farewells.isEmpty()) {
      return farewells.removeFirst();
    }
    for (QpLifecycle sender = senders.first(); sender != null; sender = senders.first()) {
      Outgoing outgoing = sender.poll(nowNanos);
      if (outgoing == null) {
        senders.firstSentNothing();
      } else {
        senders.firstSent(outgoing);
      }
      deadlines.update(sender);
      failOverrun();
      if (outgoing != null) {
        return outgoing;
      }
    }
    return null;
  }

  /** Why nothing goes on, to be asked at once. */
  public Standstill standstill() {
    return new Standstill(connections);
  }

  /** Acts on deadlines that have passed. */
  public void expire(long nowNanos) {
    completionClock.advance(nowNanos);
    completionClock.expire();
    for (QpLifecycle due = deadlines.pollDue(nowNanos);
        due != null;
        due = deadlines.pollDue(nowNanos)) {
      due.expire(nowNanos);
      settle(due);
    }
  }

  /** Whether anything will ever become due. */
  public boolean hasDeadline() {
    return !deadlines.isEmpty() || completionClock.hasDeadline();
  }

  /** The next moment to call {@link #expire}; only if {@link #hasDeadline}. */
  public long nextDeadlineNanos() {
    if (!completionClock.hasDeadline()) {
      return deadlines.earliestNanos();
    }
    long announcement = completionClock.deadlineNanos();
    boolean isNext = deadlines.isEmpty() || announcement - deadlines.earliestNanos() < 0;
    return isNext ? announcement : deadlines.earliestNanos();
  }

  private void settle(QpLifecycle connection) {
    senders.join(connection);
    deadlines.update(connection);
    failOverrun();
  }

  /** Moves every queue pair that is in use to Error. */
  public void failAll(String reason) {
    for (QpLifecycle connection : connections) {
      if (connection != null && connection.qp().state() != QpState.RESET) {
        connection.fail(reason);
        deadlines.update(connection);
      }
    }
    failOverrun();
  }

  /** A completion queue that overran is of no more use: its queue pairs go to Error. */
  private void failOverrun() {
    while (!overruns.isEmpty()) {
      CompletionRing ring = overruns.removeFirst();
      for (QpLifecycle connection : connections) {
        if (connection != null && uses(connection.qp(), ring)) {
          connection.fail("a completion queue of the queue pair overran");
          connection.qp().raise(EventType.QP_FATAL);
          deadlines.update(connection);
        }
      }
    }
  }

  private boolean uses(QpContext qp, CompletionRing ring) {
    return qp.state() != QpState.ERR
        && (qp.sendCompletions() == ring
            || qp.receiveCompletions() == ring
            || (qp.type() == QpType.XRC_RECV && sharedQueues.useFor(qp.domain(), ring)));
  }

  private QpLifecycle of(QpContext qp) {
    QpLifecycle connection = find(qp.qpn());
    assert connection != null;
    assert connection.qp() == qp;
    return connection;
  }

  private QpLifecycle find(int qpn) {
    int index = qpn - FIRST_QPN;
    return index >= 0 && index < connections.size() ? connections.get(index) : null;
  }
}
