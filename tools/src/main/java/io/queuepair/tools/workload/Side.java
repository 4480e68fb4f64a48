package io.queuepair.tools.workload;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import java.util.EnumSet;
import java.util.Set;

/** One queue pair of a connection: its state as far as the workload knows, and its memory. */
final class Side {
  static final int QUEUE = 24;
  static final int QKEY = 0x1234;
  static final int TIMEOUT_CODE = 6; // 262 us, more than any packet is late
  static final int RETRIES = 7;
  static final int RNR_TIMER_CODE = 1; // 10 us

  private static final int REMOTE_SLOTS = 12;
  private static final int LOCAL_SLOTS = 24;

  private final int number;
  private final Plan plan;
  private final Connection connection;
  private final Host host;
  private final QueuePair qp;
  private final Arena local;
  private final Arena remote;
  private final Word word;
  private final SendModel sends;
  private final ReceiveModel receives;
  private Side peer;
  private AddressHandle address;
  private QpState state = QpState.RESET;
  private boolean isDrained;

  /** Whether it went to ERR because of a request of the peer, which it still answers. */
  private boolean mayAnswerInError;

  Side(int number, Plan plan, Host host, Connection connection) {
    this.number = number;
    this.connection = connection;
    this.plan = plan;
    this.host = host;
    QpCap cap =
        new QpCap(QUEUE, QUEUE, Workload.MAX_PIECES, Workload.MAX_PIECES, Workload.MAX_INLINE);
    qp =
        host.pd()
            .createQp(new QpInitAttr(plan.type(), host.sendCq(), host.recvCq(), null, cap, false));
    host.add(this);
    Set<AccessFlag> writable = EnumSet.of(AccessFlag.LOCAL_WRITE);
    local = host.newArena("local" + number / 2, LOCAL_SLOTS, writable);
    writable.add(AccessFlag.REMOTE_WRITE);
    remote = host.newArena("target" + number / 2, REMOTE_SLOTS, writable);
    word = host.newWord();
    sends = new SendModel(this, connection);
    receives = new ReceiveModel(this, connection);
    host.journal().created(this);
  }

  void meet(Side other) {
    peer = other;
    address = host.pd().createAh(AhAttr.to(other.host.gid()));
  }

  int number() {
    return number;
  }

  Plan plan() {
    return plan;
  }

  boolean isReliable() {
    return plan.type() == QpType.RC;
  }

  Host host() {
    return host;
  }

  Side peer() {
    return peer;
  }

  QueuePair qp() {
    return qp;
  }

  AddressHandle addressOfPeer() {
    return address;
  }

  /** Memory for receives and for what is fetched. */
  Arena local() {
    return local;
  }

  /** Memory that the peer writes. */
  Arena remote() {
    return remote;
  }

  /** What the atomics of the peer work on. */
  Word word() {
    return word;
  }

  SendModel sends() {
    return sends;
  }

  ReceiveModel receives() {
    return receives;
  }

  QpState state() {
    return state;
  }

  boolean isDrained() {
    return isDrained;
  }

  boolean mayAnswerInError() {
    return mayAnswerInError;
  }

  /** Moves to a state that needs no attributes. */
  void modify(QpState next) {
    entered(next);
    host.journal().modifying(this, next);
    qp.modify(QpAttr.to(next));
  }

  private void entered(QpState next) {
    state = next;
    isDrained = false;
    mayAnswerInError = false;
  }

  /** Looks what has become of the state. */
  void refresh() {
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

  /** From RESET to RTS. */
  void connect(int psn, int side) {
    entered(QpState.INIT);
    QpAttr init = QpAttr.to(QpState.INIT).pkeyIndex(0).portNum(1);
    QpAttr receiving = QpAttr.to(QpState.RTR);
    QpAttr sending = QpAttr.to(QpState.RTS).sqPsn(Plan.psn(psn, side));
    if (plan.type() == QpType.UD) {
      init.qkey(QKEY);
    } else {
      init.accessFlags(rights());
      receiving
          .ahAttr(AhAttr.to(peer.host.gid()))
          .pathMtu(plan.mtu())
          .destQpNum(peer.qp.qpNum())
          .rqPsn(Plan.psn(psn, 1 - side));
    }
    if (isReliable()) {
      receiving.minRnrTimer(RNR_TIMER_CODE).maxDestRdAtomic(plan.reads());
      sending.timeout(TIMEOUT_CODE).retryCnt(RETRIES).rnrRetry(RETRIES).maxRdAtomic(plan.reads());
    }
    qp.modify(init);
    qp.modify(receiving);
    entered(QpState.RTS);
    qp.modify(sending);
  }

  /** What the peer may do. */
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
