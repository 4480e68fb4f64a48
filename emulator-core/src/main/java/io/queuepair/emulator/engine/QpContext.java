// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.QpIncarnation;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.queue.Ring;
import io.queuepair.emulator.queue.SendSlots;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.queue.SharedReceiveRing;
import io.queuepair.emulator.wire.Route;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.MigState;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import java.net.InetAddress;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** State of one queue pair: QPN, queues, attributes and QP state. */
public final class QpContext {
  private final int qpn;
  private QpSetup setup;
  private final Ring<SendWqe> sendQueue;
  private final SendSlots sendSlots = new SendSlots();
  private final Ring<RecvWqe> receiveQueue;
  private final QpAttributes attributes = new QpAttributes();
  private QpState state = QpState.RESET;
  private final StateHistory history = new StateHistory();

  private QpIncarnation incarnation = new QpIncarnation();

  /** Whether the queue pair is in SQD and started sends have not completed. */
  private boolean isDraining;

  /** Port of the queue pair; null until one is set. */
  private @Nullable QpPort port;

  /** Path to the peer; null until the address vector is set. */
  private @Nullable NetworkPath path;

  private @Nullable NetworkPath alternatePath;

  /** Whether the device offers path migration, so that the MigReq bit tells the migration state. */
  private boolean signalsMigration;

  public QpContext(int qpn, QpSetup setup) {
    this.qpn = qpn;
    this.setup = setup;
    sendQueue = new Ring<>(setup.cap().maxSendWr());
    receiveQueue = new Ring<>(setup.cap().maxRecvWr());
  }

  public int qpn() {
    return qpn;
  }

  public QpSetup setup() {
    return setup;
  }

  public boolean has(Quirk quirk) {
    return setup.quirks().contains(quirk);
  }

  public QpType type() {
    return setup.type();
  }

  public int domain() {
    return setup.domain();
  }

  public @Nullable CompletionRing sendCompletions() {
    return setup.sendCompletions();
  }

  public @Nullable CompletionRing receiveCompletions() {
    return setup.receiveCompletions();
  }

  public Ring<SendWqe> sendQueue() {
    return sendQueue;
  }

  /** Slots of the send queue; a completed send keeps its slot until its completion is polled. */
  public SendSlots sendSlots() {
    return sendSlots;
  }

  /** Receive queue of the queue pair; stays empty with a shared receive queue. */
  public Ring<RecvWqe> receiveQueue() {
    return receiveQueue;
  }

  public QpAttributes attributes() {
    return attributes;
  }

  public QpState state() {
    return state;
  }

  /** Sets the state, as the only writer. Callers handle the effects of a transition. */
  public void enter(QpState next) {
    if (state != next) {
      history.add(next);
    }
    state = next;
    if (next == QpState.RESET) {
      incarnation.end();
      incarnation = new QpIncarnation();
    }
  }

  /** Recent states, the current one last. */
  public StateHistory history() {
    return history;
  }

  /** Incarnation that type 2 memory windows are bound to. */
  public QpIncarnation incarnation() {
    return incarnation;
  }

  public boolean isDraining() {
    return isDraining;
  }

  public void setDraining(boolean draining) {
    isDraining = draining;
  }

  /** Changes the queue capacities, none of which may be below the number of posted requests. */
  public void resize(QpCap cap) {
    sendQueue.resize(cap.maxSendWr());
    receiveQueue.resize(cap.maxRecvWr());
    setup = setup.withCap(cap);
  }

  public void use(Offloads offloads) {
    setup = setup.withOffloads(offloads);
  }

  /** Whether the queue pair has no queues of its own and spreads frames over work queues (RSS). */
  public boolean spreadsFrames() {
    return setup.offloads().scaling() != null;
  }

  /** Maximum payload bytes of a packet at the port; 0 without a port. */
  public int portMtuBytes() {
    return port == null ? 0 : port.mtuBytes(type());
  }

  public void usePort(QpPort newPort) {
    port = newPort;
  }

  /** Whether packets to an address arrive at the port of the queue pair. */
  public boolean isAtPortOf(InetAddress destination) {
    return port != null && port.isFor(destination);
  }

  /** Bytes, network overhead included, that may be in flight to the peer before loss is likely. */
  long receiveBufferBytes() {
    return port == null || path == null
        ? Long.MAX_VALUE
        : port.receiveBufferBytes(path.route().source(), path.route().destination());
  }

  public @Nullable Route route() {
    return path == null ? null : path.route();
  }

  /** P_Key of sent packets: that of the path or, for datagrams, of the port. */
  public int pkey() {
    if (path != null) {
      return path.pkey();
    }
    return port == null ? 0 : port.pkey(attributes.pkeyIndex());
  }

  /** Path to the peer; null until connected. */
  public @Nullable NetworkPath path() {
    return path;
  }

  public boolean isConnectedTo(InetAddress peer, int destQpn) {
    return path != null
        && path.route().destination().equals(peer)
        && attributes.destQpNum() == destQpn;
  }

  public void connect(@Nullable NetworkPath newPath) {
    path = newPath;
  }

  public @Nullable NetworkPath alternate() {
    return alternatePath;
  }

  public void loadAlternate(@Nullable NetworkPath newAlternatePath) {
    alternatePath = newAlternatePath;
  }

  /** Makes the alternate path the current one; then there is no alternate path. */
  public void migrate() {
    path = alternatePath;
    alternatePath = null;
    attributes.migrate();
  }

  public void offerMigration() {
    signalsMigration = true;
  }

  /** MigReq bit of sent packets. */
  public boolean isMigrated() {
    return signalsMigration && attributes.pathMigState() == MigState.MIGRATED;
  }

  /** Raises an event; {@link Quirk#ASYNC_EVENTS_SUPPRESSED} drops all but SQ_DRAINED. */
  public void raise(@Nullable EventType event) {
    if (!has(Quirk.ASYNC_EVENTS_SUPPRESSED) || event == EventType.SQ_DRAINED) {
      setup.events().accept(event);
    }
  }

  /**
   * Parameters that a queue pair is created with.
   *
   * @param type transport service
   * @param domain number of the protection domain; for XRC_RECV, of the XRC domain
   * @param sendCompletions completion queue of sends; null without queues of its own
   * @param receiveCompletions completion queue of receives; null without queues of its own
   * @param srq shared receive queue, or null
   * @param cap capacities granted
   * @param sqSigAll whether every send is signaled
   * @param offloads offloads in use
   * @param quirks deviations of the device from the specification
   * @param events receiver of asynchronous events
   */
  public record QpSetup(
      QpType type,
      int domain,
      @Nullable CompletionRing sendCompletions,
      @Nullable CompletionRing receiveCompletions,
      @Nullable SharedReceiveRing srq,
      QpCap cap,
      boolean sqSigAll,
      Offloads offloads,
      Set<Quirk> quirks,
      Consumer<EventType> events) {
    public QpSetup withCap(QpCap newCap) {
      return new QpSetup(
          type,
          domain,
          sendCompletions,
          receiveCompletions,
          srq,
          newCap,
          sqSigAll,
          offloads,
          quirks,
          events);
    }

    public QpSetup withQueues(
        CompletionRing sendRing, CompletionRing receiveRing, @Nullable SharedReceiveRing newSrq) {
      return new QpSetup(
          type, domain, sendRing, receiveRing, newSrq, cap, sqSigAll, offloads, quirks, events);
    }

    QpSetup withOffloads(Offloads newOffloads) {
      return new QpSetup(
          type,
          domain,
          sendCompletions,
          receiveCompletions,
          srq,
          cap,
          sqSigAll,
          newOffloads,
          quirks,
          events);
    }
  }
}
