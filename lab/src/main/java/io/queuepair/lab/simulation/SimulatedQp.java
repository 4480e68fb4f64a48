// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import java.net.InetAddress;
import java.util.EnumSet;
import java.util.Set;

/** One queue pair of a connection: its state as far as the workload knows, and its memory. */
final class SimulatedQp {
  static final int QUEUE = 24;
  static final int QKEY = 0x1234;

  private static final int REMOTE_SLOTS = 12;
  private static final int LOCAL_SLOTS = 24;

  final int number;
  final ConnectionConfig plan;
  private final SimulatedConnection connection;
  final SimulatedHost host;
  private final QueuePair qp;

  /** Shared receive queue, or null. */
  final SharedReceiveQueue srq;

  private final InetAddress own;

  /** Memory for receives and for what is fetched. */
  final MemoryPool local;

  /** Memory that the peer writes. */
  final MemoryPool remote;

  /** Operand of the peer's atomics. */
  final AtomicWord word;

  /** Opens memory to the peer; null if it is not connected reliably. */
  final WindowModel window;

  final SendModel sends;
  final ReceiveModel receives;
  final RequesterModel requester = new RequesterModel(this);
  final ResponderModel responder = new ResponderModel(this);

  /** Whether everything that leaves and reaches it is judged packet by packet. */
  final boolean judgesWire;

  private SimulatedQp peer;
  private AddressHandle address;

  /** The attributes with which it goes to RTS. */
  private QpAttr sending;

  private QpState state = QpState.RESET;
  private boolean isBeingModified;
  private boolean isDrained;

  /** Whether it has failed, and that was not seen yet. */
  private boolean hasStopped;

  /** Events LAST_WQE_REACHED since it went to ERR. */
  private int lastWqeEvents;

  /** Events COMM_EST since it was connected. */
  private int commEstEvents;

  private boolean wasInRtr;

  /** Whether it went to ERR because of a request of the peer, which it still answers. */
  private boolean mayAnswerInError;

  SimulatedQp(
      int number, ConnectionConfig plan, SimulatedHost host, SimulatedConnection connection) {
    this.number = number;
    judgesWire = host.isSteady;
    this.connection = connection;
    this.plan = plan;
    this.host = host;
    QpCap cap =
        new QpCap(QUEUE, QUEUE, WorkSpec.MAX_PIECES, WorkSpec.MAX_PIECES, WorkSpec.MAX_INLINE);
    boolean shares = plan.sharesReceives();
    srq = shares ? host.pd.createSrq(SrqAttr.of(QUEUE, WorkSpec.MAX_PIECES)) : null;
    qp = host.pd.createQp(new QpInitAttr(plan.type(), host.sendCq, host.recvCq, srq, cap, false));
    own = host.gid().toAddress();
    host.add(this);
    Set<AccessFlag> writable = EnumSet.of(AccessFlag.LOCAL_WRITE);
    local = host.newArena("local" + number / 2, LOCAL_SLOTS, writable);
    writable.add(AccessFlag.REMOTE_WRITE);
    writable.add(AccessFlag.MW_BIND);
    remote = host.newArena("target" + number / 2, REMOTE_SLOTS, writable);
    word = host.newWord();
    sends = new SendModel(this, connection);
    receives = new ReceiveModel(this, connection);
    host.journal.created(this);
    window = isReliable() ? new WindowModel(this) : null;
  }

  void meet(SimulatedQp other) {
    peer = other;
    address = host.pd.createAh(AhAttr.to(other.host.gid()));
  }

  boolean isReliable() {
    return plan.type() == QpType.RC;
  }

  SimulatedQp peer() {
    return peer;
  }

  /** Address of its host. */
  InetAddress address() {
    return own;
  }

  QueuePair qp() {
    return qp;
  }

  AddressHandle addressOfPeer() {
    return address;
  }

  /** RESET closes what was bound through the queue pair. */
  void resetWindow() {
    if (window != null) {
      window.reset();
    }
  }

  /** The partition key of all that it sends. */
  int pkey() {
    return Membership.PKEYS[pkeyIndex()];
  }

  int pkeyIndex() {
    return plan.membership().index(number % 2);
  }

  QpState state() {
    return state;
  }

  boolean hasStopped() {
    return hasStopped;
  }

  /** Notes whether it has failed, without polling. */
  void lookIfStopped() {
    hasStopped |= qp.query().qpState() != state;
  }

  /** The last receive of the shared queue that it has taken is complete. */
  void lastWqeReached() {
    lastWqeEvents++;
    Violation.unless(
        plan.sharesReceives() && lastWqeEvents == 1,
        "%s raised LAST_WQE_REACHED %d times",
        this,
        lastWqeEvents);
  }

  /** A request has reached it in RTR. */
  void established() {
    commEstEvents++;
    Violation.unless(
        wasInRtr && commEstEvents == 1, "%s raised COMM_EST %d times", this, commEstEvents);
  }

  boolean isDrained() {
    return isDrained;
  }

  boolean mayAnswerInError() {
    return mayAnswerInError;
  }

  /** Whether it is entering its state: what has arrived is acknowledged before. */
  boolean isBeingModified() {
    return isBeingModified;
  }

  /** Moves to a state that needs no attributes. */
  void modify(QpState next) {
    entered(next);
    host.journal.modifying(this, next);
    isBeingModified = true;
    qp.modify(QpAttr.to(next));
    isBeingModified = false;
  }

  private void entered(QpState next) {
    if (state == QpState.ERR && next == QpState.RESET) {
      Violation.unless(
          lastWqeEvents == 1 || !plan.sharesReceives(), "%s never raised LAST_WQE_REACHED", this);
    }
    if (next != QpState.ERR) {
      lastWqeEvents = 0;
    }
    state = next;
    hasStopped = false;
    isDrained = false;
    mayAnswerInError = false;
  }

  /** Reads the state, and demands a reason if it has changed by itself. */
  void refresh() {
    hasStopped = false;
    QpAttr now = qp.query();
    if (now.qpState() != state) {
      Violation.unless(
          now.qpState() == QpState.ERR || now.qpState() == QpState.SQE,
          "qp %d went from %s to %s by itself",
          number,
          state,
          now.qpState());
      entered(now.qpState());
      Violation.unless(
          connection.isDisturbed() || connection.hasFailed(),
          "qp %d went to %s, and nothing explains it",
          number,
          state);
      mayAnswerInError = !sends.hasFailed();
      sends.conclude();
    }
    isDrained = state == QpState.SQD && !now.sqDraining();
  }

  /** Moves it from RESET to RTS. */
  void connect(int psn, int side) {
    entered(QpState.INIT);
    requester.start(ConnectionConfig.psn(psn, side));
    responder.start();
    RetryAttributes retry = plan.retry();
    QpAttr init = QpAttr.to(QpState.INIT).pkeyIndex(pkeyIndex()).portNum(1);
    QpAttr receiving = QpAttr.to(QpState.RTR);
    if (plan.type() == QpType.UD) {
      init.qkey(QKEY);
    } else {
      init.qpAccessFlags(rights());
      receiving
          .ahAttr(AhAttr.to(peer.host.gid()))
          .pathMtu(plan.mtu())
          .destQpNum(peer.qp.qpNum())
          .rqPsn(ConnectionConfig.psn(psn, 1 - side));
    }
    if (isReliable()) {
      receiving.minRnrTimer(retry.minRnrTimer()).maxDestRdAtomic(plan.reads());
    }
    sending = sending(ConnectionConfig.psn(psn, side));
    qp.modify(init);
    qp.modify(receiving);
    commEstEvents = 0;
    wasInRtr = side == 1 && plan.traits().contains(Trait.STAYS_IN_RTR);
    entered(QpState.RTR);
    if (!wasInRtr) {
      toRts();
    }
  }

  private QpAttr sending(int psn) {
    QpAttr attr = QpAttr.to(QpState.RTS).sqPsn(psn);
    if (isReliable()) {
      RetryAttributes retry = plan.retry();
      attr.timeout(retry.timeout()).retryCnt(retry.retryCnt()).rnrRetry(retry.rnrRetry());
      attr.maxRdAtomic(plan.reads());
    }
    return attr;
  }

  /** Moves it from RTR to RTS. */
  void toRts() {
    Violation.unless(
        !responder.hasAcknowledged() || commEstEvents == 1, "%s never raised COMM_EST", this);
    if (state == QpState.RTR && wasInRtr) {
      host.journal.sending(this, sending.sqPsn());
    }
    entered(QpState.RTS);
    qp.modify(sending);
  }

  /** Rights of the peer. */
  Set<AccessFlag> rights() {
    Set<AccessFlag> rights = EnumSet.of(AccessFlag.REMOTE_WRITE);
    if (isReliable()) {
      rights.add(AccessFlag.REMOTE_READ);
      rights.add(AccessFlag.REMOTE_ATOMIC);
      rights.add(AccessFlag.FLUSH_GLOBAL);
    }
    return rights;
  }

  void verify() {
    local.verify();
    remote.verify();
    word.verify();
  }

  @Override
  public String toString() {
    return "qp " + number + " (" + plan.type() + ", " + state + ")";
  }
}
