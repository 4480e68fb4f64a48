// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.cm;

import io.queuepair.emulator.queue.Timed;
import io.queuepair.emulator.wire.CmField;
import io.queuepair.emulator.wire.CmKind;
import io.queuepair.emulator.wire.CmMessage;
import io.queuepair.emulator.wire.ImmutableBytes;
import io.queuepair.emulator.wire.RejectReason;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Communication manager of a host: calls, messages and the time go in, messages and events come
 * out. {@link CmReceiver} takes the messages and finds their ids. All inputs end in {@link #step}.
 * Not thread-safe.
 */
public final class CmEngine implements Timed {
  /**
   * Number of extra copies of a last message that {@link #shutDown} sends. In Linux the kernel
   * outlives the program and answers when the peer asks again; here nothing is left to answer.
   */
  static final int LAST_COPIES = 2;

  private final CmServices services;
  private final Random random;
  private final int mask;
  private int nextIndex;
  private final CmIds ids = new CmIds();
  private final CmReceiver receiver;
  private final Deque<CmOutgoing> outgoing = new ArrayDeque<>();
  private final Deque<CmEvent> events = new ArrayDeque<>();
  private long progress;

  /**
   * Creates an engine without connections.
   *
   * @param services listeners of the layer above
   * @param random source of communication IDs and starting PSNs, which must differ from those of an
   *     earlier run
   */
  public CmEngine(CmServices services, Random random) {
    this.services = services;
    this.random = random;
    mask = random.nextInt();
    receiver = new CmReceiver(this, ids, services);
  }

  public CmId create() {
    int localCommId;
    do {
      localCommId = nextIndex ^ mask;
      nextIndex++;
    } while (localCommId == 0 || ids.has(localCommId));
    CmId id = new CmId(localCommId);
    ids.add(id);
    return id;
  }

  public int startingPsn() {
    return random.nextInt(1 << 24);
  }

  /** Number of ids, including those that the layer above has destroyed. */
  public int size() {
    return ids.size();
  }

  public List<CmId> ids() {
    return ids.all();
  }

  /** Takes a message that arrived. At most two messages are sent in answer. */
  public void receive(CmPeer from, CmMessage message, long nowNanos) {
    receiver.receive(from, message, nowNanos);
  }

  /** Sends a REQ to a peer; false unless the state is IDLE. */
  public boolean sendReq(CmId id, CmPeer to, CmMessage req, long nowNanos) {
    id.setPeer(to);
    id.setLocalQpn(req.getInt(CmField.REQ_LOCAL_QPN));
    id.setXrc(req.isXrc());
    id.setLocalCaGuid(req.get(CmField.REQ_LOCAL_CA_GUID));
    id.setTransactionId(ownTransaction(id));
    return call(id, CmInput.SEND_REQ, inTransaction(id, req), nowNanos);
  }

  /** Sends a rejected REQ again with another path MTU; false unless it is the latest message. */
  public boolean sendReqAgain(CmId id, int pathMtu, long nowNanos) {
    CmMessage message = id.latestMessage();
    if (id.state() != CmState.IDLE || message == null || message.kind() != CmKind.REQ) {
      return false;
    }
    return sendReq(id, id.peer(), message.copy().set(CmField.REQ_PATH_MTU, pathMtu), nowNanos);
  }

  /** Accepts a REQ with a REP; false unless a REQ waits for the program. */
  public boolean sendRep(CmId id, CmMessage rep, long nowNanos) {
    id.setLocalQpn(rep.repQpn(id.isXrc()));
    id.setLocalCaGuid(rep.get(CmField.REP_LOCAL_CA_GUID));
    return call(id, CmInput.SEND_REP, inTransaction(id, rep), nowNanos);
  }

  /** Accepts a REP with an RTU; false unless a REP waits for the program. */
  public boolean sendRtu(CmId id, long nowNanos) {
    return call(id, CmInput.SEND_RTU, CmReplies.rtu(id), nowNanos);
  }

  /** Sends a REJ; false unless the connection is being set up. */
  public boolean sendRej(CmId id, RejectReason reason, ImmutableBytes privateData, long nowNanos) {
    CmMessage rej = CmReplies.rej(id, id.state(), reason, privateData);
    return call(id, CmInput.SEND_REJ, rej, nowNanos);
  }

  /** Sends a DREQ; false unless the connection is established. */
  public boolean sendDreq(CmId id, long nowNanos) {
    return call(id, CmInput.SEND_DREQ, null, nowNanos);
  }

  /** Answers a DREQ with a DREP; false unless a DREQ waits for the program. */
  public boolean sendDrep(CmId id, long nowNanos) {
    return call(id, CmInput.SEND_DREP, null, nowNanos);
  }

  /** Makes an MRA answer repetitions of the REQ or REP that waits for the program. */
  public boolean prepareMra(CmId id, long nowNanos) {
    return call(id, CmInput.PREPARE_MRA, null, nowNanos);
  }

  /** Frees the place of a request in the backlog of its listener, as the program has taken it. */
  public void taken(CmId id) {
    id.leaveBacklog();
  }

  /** Establishes a connection on which data came before the RTU; false if no RTU is awaited. */
  public boolean notify(CmId id, long nowNanos) {
    return call(id, CmInput.NOTIFY, null, nowNanos);
  }

  /** Sends a SIDR_REQ to a peer; false unless the state is IDLE. */
  public boolean sendSidrReq(CmId id, CmPeer to, CmMessage req, long nowNanos) {
    id.setPeer(to);
    id.setTransactionId(ownTransaction(id));
    return call(id, CmInput.SEND_SIDR_REQ, inTransaction(id, req), nowNanos);
  }

  /** Answers a SIDR_REQ with a SIDR_REP; false unless a SIDR_REQ waits for the program. */
  public boolean sendSidrRep(CmId id, CmMessage rep, long nowNanos) {
    return call(id, CmInput.SEND_SIDR_REP, inTransaction(id, rep), nowNanos);
  }

  /**
   * Destroys an id on behalf of the layer above. The peer is notified, with retransmissions. Events
   * still come: the last is TIMEWAIT_EXIT if {@link CmId#holdsQpn} is true when this is called.
   */
  public void destroy(CmId id, long nowNanos) {
    id.markDestroyed();
    call(id, CmInput.DESTROY, null, nowNanos);
  }

  /** Destroys all ids, as the host ends; sends last messages {@value #LAST_COPIES} times more. */
  public void shutDown(long nowNanos) {
    for (CmId id : ids.all()) {
      if (!id.isDestroyed()) {
        destroy(id, nowNanos);
      }
      CmMessage last = CmReplies.last(id, nowNanos);
      for (int copy = 0; last != null && copy < LAST_COPIES; copy++) {
        send(id.peer(), last);
      }
    }
  }

  private boolean call(CmId id, CmInput input, @Nullable CmMessage message, long nowNanos) {
    return step(id, input, new Cause(null, message, nowNanos));
  }

  /** The next message to send; null if there is none. */
  public @Nullable CmOutgoing pollOutgoing() {
    return outgoing.pollFirst();
  }

  public @Nullable CmEvent pollEvent() {
    return events.pollFirst();
  }

  @Override
  public boolean hasDeadline() {
    return ids.hasDeadline();
  }

  /** Time at which to call {@link #expire}; only if {@link #hasDeadline}. */
  @Override
  public long deadlineNanos() {
    return ids.earliestNanos();
  }

  /** Number of steps that were taken; it only grows. */
  public long progress() {
    return progress;
  }

  public void expire(long nowNanos) {
    for (CmId id = ids.pollDue(nowNanos); id != null; id = ids.pollDue(nowNanos)) {
      CmInput input = CmInput.TIME_OVER;
      if (id.state().awaitsAnswer()) {
        input = id.mayRetry() ? CmInput.NO_ANSWER : CmInput.RETRIES_EXHAUSTED;
      }
      step(id, input, new Cause(null, null, nowNanos));
    }
  }

  /**
   * Cause of a step.
   *
   * @param arrived message that arrived; null if none did
   * @param message message that the call sends; null if there is none
   */
  record Cause(@Nullable CmMessage arrived, @Nullable CmMessage message, long nowNanos) {}

  /** Takes the step of {@link CmTransition} for an input; false if this state has none. */
  boolean step(CmId id, CmInput input, Cause cause) {
    CmTransition transition = CmTransition.of(id.state(), input);
    if (transition == null) {
      return false;
    }
    progress++;
    if (input == CmInput.DREQ) {
      id.setReleaseTransaction(cause.arrived().transactionId());
    }
    CmState oldState = id.state();
    String explanation = CmExplanation.of(id, input, cause);
    CmListener listener = id.listener();
    id.enter(transition.to());
    if (transition.actions().contains(CmAction.LEARN_PEER)) {
      learn(id, cause.arrived());
    }
    for (CmAction action : transition.actions()) {
      act(id, action, oldState, cause);
    }
    setDeadline(id, transition, oldState, cause);
    ids.entered(id);
    if (transition.event() != null) {
      events.addLast(new CmEvent(transition.event(), id, listener, cause.arrived(), explanation));
    }
    forgetOldAnswers(cause.nowNanos());
    displaceOldest(cause.nowNanos());
    return true;
  }

  /**
   * Ends the oldest id that is timed by its peer if there are too many. From another state than
   * TIMEWAIT this takes two steps: the first enters TIMEWAIT and calls this method again.
   */
  private void displaceOldest(long nowNanos) {
    CmId oldestId = ids.oldestTimedByPeerTooMany();
    if (oldestId != null) {
      if (oldestId.state() == CmState.TIMEWAIT) {
        services.displaced(oldestId.peer());
      }
      step(oldestId, CmInput.DISPLACED, new Cause(null, null, nowNanos));
    }
  }

  private void forgetOldAnswers(long nowNanos) {
    CmId oldestId = ids.oldestAnswerTooMany();
    if (oldestId != null) {
      step(oldestId, CmInput.TIME_OVER, new Cause(null, null, nowNanos));
    }
  }

  private void learn(CmId id, CmMessage message) {
    id.setRemoteCommId(message.localCommId());
    if (message.kind() == CmKind.REP) {
      id.setRemoteQp(message.get(CmField.REP_LOCAL_CA_GUID), message.repQpn(id.isXrc()));
      ids.learnConnection(id);
      return;
    }
    id.setTransactionId(message.transactionId());
    if (message.kind() == CmKind.REQ) {
      int qpn = message.getInt(CmField.REQ_LOCAL_QPN);
      id.setRemoteQp(message.get(CmField.REQ_LOCAL_CA_GUID), qpn);
      id.setXrc(message.isXrc());
      ids.learnConnection(id);
    } else {
      ids.learnRequest(id);
    }
  }

  private void act(CmId id, CmAction action, CmState oldState, Cause cause) {
    long nowNanos = cause.nowNanos();
    switch (action) {
      case SEND, SEND_AND_WAIT -> sendFirst(id, cause.message(), nowNanos);
      case SEND_DREQ -> sendFirst(id, CmReplies.dreq(id, ownTransaction(id)), nowNanos);
      case SEND_AGAIN -> {
        id.sentAgain();
        send(id.peer(), id.latestMessage());
      }
      case SEND_MRA -> send(id.peer(), CmReplies.mra(id, oldState));
      case SEND_RTU -> send(id.peer(), CmReplies.rtu(id));
      case SEND_DREP -> {
        id.markDreqAnswered();
        send(id.peer(), CmReplies.drep(id));
      }
      case SEND_REJ_TIMEOUT -> send(id.peer(), CmReplies.rejTimeout(id));
      case SEND_REJ_CONSUMER -> sendFirst(id, CmReplies.rejConsumer(id, oldState), nowNanos);
      case SEND_REJ_STALE ->
          send(
              id.peer(),
              CmReplies.refusal(cause.arrived(), RejectReason.STALE_CONN, ImmutableBytes.EMPTY));
      case SEND_SIDR_REJECT -> sendFirst(id, CmReplies.sidrReject(id), nowNanos);
      case EXTEND_WAIT, LEARN_PEER -> {}
    }
  }

  private void sendFirst(CmId id, CmMessage message, long nowNanos) {
    id.sent(message, nowNanos);
    send(id.peer(), message);
  }

  void send(CmPeer to, CmMessage message) {
    outgoing.addLast(new CmOutgoing(to, message));
  }

  private void setDeadline(CmId id, CmTransition transition, CmState oldState, Cause cause) {
    long nowNanos = cause.nowNanos();
    CmState state = id.state();
    boolean enters = state != oldState;
    if (transition.input() == CmInput.NO_ANSWER) {
      id.useRetry();
      ids.setDeadline(id, nowNanos + id.intervalNanos());
    } else if (transition.actions().contains(CmAction.EXTEND_WAIT)) {
      ids.setDeadline(id, nowNanos + CmReplies.extensionNanos(id, cause.arrived()));
    } else if (enters && state.awaitsAnswer()) {
      ids.setDeadline(id, nowNanos + id.intervalNanos());
    } else if (enters && state == CmState.TIMEWAIT) {
      ids.setDeadline(id, nowNanos + id.timewaitNanos());
    } else if (enters && state.isAnswered()) {
      ids.setDeadline(id, nowNanos + CmTimeouts.REMEMBERED_NANOS);
    } else if (enters) {
      ids.clearDeadline(id);
    }
  }

  /** Transaction ID as Linux makes it on little-endian machines: the communication ID swapped. */
  private static long ownTransaction(CmId id) {
    return Integer.toUnsignedLong(Integer.reverseBytes(id.localCommId()));
  }

  private static CmMessage inTransaction(CmId id, CmMessage message) {
    return message.set(CmField.MAD_TRANSACTION_ID, id.transactionId());
  }
}
