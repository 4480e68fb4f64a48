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

/** One queue pair of a connection: its expected state, its memory, and the models of its queues. */
final class SimulatedQp {
  static final int QUEUE = 24;
  static final int QKEY = 0x1234;

  private static final int REMOTE_SLOTS = 12;
  private static final int LOCAL_SLOTS = 24;

  final int number;
  final ConnectionConfig config;
  private final SimulatedConnection connection;
  final SimulatedHost host;
  private final QueuePair qp;

  /** Shared receive queue; null if there is none. */
  final SharedReceiveQueue srq;

  private final InetAddress own;

  /** Memory for receives, and for data that READs and atomics return. */
  final MemoryPool local;

  /** Memory that the peer writes. */
  final MemoryPool remote;

  /** Target of the peer's atomics. */
  final AtomicWord word;

  /** Memory window through which the peer writes; null if the connection is not reliable. */
  final WindowModel window;

  final SendModel sends;
  final ReceiveModel receives;
  final RequesterModel requester = new RequesterModel(this);
  final ResponderModel responder = new ResponderModel(this);

  /** Whether each packet sent or received is checked by the requester and responder models. */
  final boolean judgesWire;

  private SimulatedQp peer;
  private AddressHandle address;

  /** Attributes for the transition to RTS. */
  private QpAttr sending;

  private QpState state = QpState.RESET;
  private boolean isBeingModified;
  private boolean isDrained;

  /** Whether the expected state was left, which {@link #refresh} has not seen yet. */
  private boolean hasStopped;

  /** Events LAST_WQE_REACHED since the transition to ERR. */
  private int lastWqeEvents;

  /** Events COMM_EST since the connection was made. */
  private int commEstEvents;

  private boolean wasInRtr;

  /** Whether a request of the peer caused ERR; its NAK may still be sent. */
  private boolean mayAnswerInError;

  SimulatedQp(
      int number, ConnectionConfig config, SimulatedHost host, SimulatedConnection connection) {
    this.number = number;
    judgesWire = host.isSteady;
    this.connection = connection;
    this.config = config;
    this.host = host;
    QpCap cap =
        new QpCap(QUEUE, QUEUE, WorkSpec.MAX_PIECES, WorkSpec.MAX_PIECES, WorkSpec.MAX_INLINE);
    boolean shares = config.sharesReceives();
    srq = shares ? host.pd.createSrq(SrqAttr.of(QUEUE, WorkSpec.MAX_PIECES)) : null;
    qp = host.pd.createQp(new QpInitAttr(config.type(), host.sendCq, host.recvCq, srq, cap, false));
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
    host.listener.created(this);
    window = isReliable() ? new WindowModel(this) : null;
  }

  void meet(SimulatedQp other) {
    peer = other;
    address = host.pd.createAh(AhAttr.to(other.host.gid()));
  }

  boolean isReliable() {
    return config.type() == QpType.RC;
  }

  SimulatedQp peer() {
    return peer;
  }

  InetAddress address() {
    return own;
  }

  QueuePair qp() {
    return qp;
  }

  AddressHandle addressOfPeer() {
    return address;
  }

  /** Handles RESET, which invalidates the window bound through this queue pair. */
  void resetWindow() {
    if (window != null) {
      window.reset();
    }
  }

  int pkey() {
    return Membership.PKEYS[pkeyIndex()];
  }

  int pkeyIndex() {
    return config.membership().index(number % 2);
  }

  QpState state() {
    return state;
  }

  boolean hasStopped() {
    return hasStopped;
  }

  /** Records a change of state that no call caused, without polling completions. */
  void lookIfStopped() {
    hasStopped |= qp.query().qpState() != state;
  }

  /** Handles LAST_WQE_REACHED: the last receive taken from the shared receive queue is complete. */
  void lastWqeReached() {
    lastWqeEvents++;
    Violation.unless(
        config.sharesReceives() && lastWqeEvents == 1,
        "%s raised LAST_WQE_REACHED %d times",
        this,
        lastWqeEvents);
  }

  /** Handles COMM_EST: a packet has arrived in RTR. */
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

  /** Whether a transition is in progress: packets that arrived before may be acknowledged. */
  boolean isBeingModified() {
    return isBeingModified;
  }

  /** Moves the queue pair to a state that needs no attributes. */
  void modify(QpState next) {
    entered(next);
    host.listener.modifying(this, next);
    isBeingModified = true;
    qp.modify(QpAttr.to(next));
    isBeingModified = false;
  }

  private void entered(QpState next) {
    if (state == QpState.ERR && next == QpState.RESET) {
      Violation.unless(
          lastWqeEvents == 1 || !config.sharesReceives(), "%s never raised LAST_WQE_REACHED", this);
    }
    if (next != QpState.ERR) {
      lastWqeEvents = 0;
    }
    state = next;
    hasStopped = false;
    isDrained = false;
    mayAnswerInError = false;
  }

  /** Reads the state, and checks that a change without a call has a reason. */
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

  /** Moves the queue pair from RESET to RTS, or to RTR if it stays there. */
  void connect(int psn, int side) {
    entered(QpState.INIT);
    requester.start(ConnectionConfig.psn(psn, side));
    responder.start();
    RetryAttributes retry = config.retry();
    QpAttr init = QpAttr.to(QpState.INIT).pkeyIndex(pkeyIndex()).portNum(1);
    QpAttr receiving = QpAttr.to(QpState.RTR);
    if (config.type() == QpType.UD) {
      init.qkey(QKEY);
    } else {
      init.qpAccessFlags(rights());
      receiving
          .ahAttr(AhAttr.to(peer.host.gid()))
          .pathMtu(config.mtu())
          .destQpNum(peer.qp.qpNum())
          .rqPsn(ConnectionConfig.psn(psn, 1 - side));
    }
    if (isReliable()) {
      receiving.minRnrTimer(retry.minRnrTimer()).maxDestRdAtomic(config.reads());
    }
    sending = sending(ConnectionConfig.psn(psn, side));
    qp.modify(init);
    qp.modify(receiving);
    commEstEvents = 0;
    wasInRtr = side == 1 && config.traits().contains(Trait.STAYS_IN_RTR);
    entered(QpState.RTR);
    if (!wasInRtr) {
      toRts();
    }
  }

  private QpAttr sending(int psn) {
    QpAttr attr = QpAttr.to(QpState.RTS).sqPsn(psn);
    if (isReliable()) {
      RetryAttributes retry = config.retry();
      attr.timeout(retry.timeout()).retryCnt(retry.retryCnt()).rnrRetry(retry.rnrRetry());
      attr.maxRdAtomic(config.reads());
    }
    return attr;
  }

  void toRts() {
    Violation.unless(
        !responder.hasAcknowledged() || commEstEvents == 1, "%s never raised COMM_EST", this);
    if (state == QpState.RTR && wasInRtr) {
      host.listener.sending(this, sending.sqPsn());
    }
    entered(QpState.RTS);
    qp.modify(sending);
  }

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
    return "qp " + number + " (" + config.type() + ", " + state + ")";
  }
}
