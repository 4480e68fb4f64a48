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

/** One queue pair: its number, queues, attributes and state. The engine acts on them. */
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

  /** Whether it is in SQD, and sends that have started are being finished. */
  private boolean isDraining;

  /** Where its packets leave and arrive; null until one is set. */
  private @Nullable QpPort port;

  /** The way to the peer, once the address vector is known. */
  private @Nullable NetworkPath path;

  /** The way that is taken when that fails, or null. */
  private @Nullable NetworkPath alternatePath;

  /** Whether the device offers path migration, and so says in every packet whether it migrated. */
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

  /** Whether its device differs from the documents in one way. */
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

  /** Slots of the send queue: sends that are done keep theirs until they are polled. */
  public SendSlots sendSlots() {
    return sendSlots;
  }

  /** Its own receive queue, which stays empty if it has a shared one. */
  public Ring<RecvWqe> receiveQueue() {
    return receiveQueue;
  }

  public QpAttributes attributes() {
    return attributes;
  }

  public QpState state() {
    return state;
  }

  /** The one place where a state changes; what a change entails is the caller's business. */
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

  /** The states it was in, the present one last. */
  public StateHistory history() {
    return history;
  }

  /** Incarnation that its windows of type 2 are tied to. */
  public QpIncarnation incarnation() {
    return incarnation;
  }

  public boolean isDraining() {
    return isDraining;
  }

  public void setDraining(boolean draining) {
    isDraining = draining;
  }

  /** Gives the queues other capacities, of which none may be below what is posted. */
  public void resize(QpCap cap) {
    sendQueue.resize(cap.maxSendWr());
    receiveQueue.resize(cap.maxRecvWr());
    setup = setup.withCap(cap);
  }

  /** Gives it other offloads. */
  public void use(Offloads offloads) {
    setup = setup.withOffloads(offloads);
  }

  /** Whether it has no queues of its own, but spreads frames over work queues. */
  public boolean spreadsFrames() {
    return setup.offloads().scaling() != null;
  }

  /** Payload bytes of the largest packet its port can send; known once a port is. */
  public int portMtuBytes() {
    return port == null ? 0 : port.mtuBytes(type());
  }

  /** Fixes the port. */
  public void usePort(QpPort newPort) {
    port = newPort;
  }

  /** Whether a packet to an address arrives at its port. */
  public boolean isAtPortOf(InetAddress destination) {
    return port != null && port.isFor(destination);
  }

  /** What may be on its way to the peer: bytes, with what the network needs to hold them. */
  long receiveBufferBytes() {
    return port == null || path == null
        ? Long.MAX_VALUE
        : port.receiveBufferBytes(path.route().source(), path.route().destination());
  }

  public @Nullable Route route() {
    return path == null ? null : path.route();
  }

  /** P_Key of its packets: that of its path or, of datagrams, of its port. */
  public int pkey() {
    if (path != null) {
      return path.pkey();
    }
    return port == null ? 0 : port.pkey(attributes.pkeyIndex());
  }

  /** The way to the peer; null as long as it is not connected. */
  public @Nullable NetworkPath path() {
    return path;
  }

  /** Whether its packets go to a queue pair of another device. */
  public boolean isConnectedTo(InetAddress peer, int destQpn) {
    return path != null
        && path.route().destination().equals(peer)
        && attributes.destQpNum() == destQpn;
  }

  /** Fixes the path of the connection. */
  public void connect(@Nullable NetworkPath newPath) {
    path = newPath;
  }

  /** The way that is taken when the present one fails, or null. */
  public @Nullable NetworkPath alternate() {
    return alternatePath;
  }

  public void loadAlternate(@Nullable NetworkPath newAlternatePath) {
    alternatePath = newAlternatePath;
  }

  /** Takes the alternate path; there is no other then. */
  public void migrate() {
    path = alternatePath;
    alternatePath = null;
    attributes.migrate();
  }

  public void offerMigration() {
    signalsMigration = true;
  }

  /** The MigReq bit of the packets that leave. */
  public boolean isMigrated() {
    return signalsMigration && attributes.pathMigState() == MigState.MIGRATED;
  }

  /** Tells the application what belongs to no work request; lost if it never reads its events. */
  public void raise(@Nullable EventType event) {
    if (!has(Quirk.ASYNC_EVENTS_SUPPRESSED) || event == EventType.SQ_DRAINED) {
      setup.events().accept(event);
    }
  }

  /**
   * Parts of a queue pair.
   *
   * @param type transport service
   * @param domain number of the protection domain; of an XRC target, of its XRC domain
   * @param sendCompletions where sends complete; null if it has no queues of its own
   * @param receiveCompletions where receives complete; null if it has no queues of its own
   * @param srq shared receive queue, or null
   * @param cap capacities granted
   * @param sqSigAll whether every send reports success
   * @param offloads what the device does of the work of applications
   * @param quirks in which ways its device differs from the documents
   * @param events where its asynchronous events go
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
    /** A copy with other capacities. */
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

    /** A copy with queues of its own. */
    public QpSetup withQueues(
        CompletionRing sendRing, CompletionRing receiveRing, @Nullable SharedReceiveRing newSrq) {
      return new QpSetup(
          type, domain, sendRing, receiveRing, newSrq, cap, sqSigAll, offloads, quirks, events);
    }

    /** A copy with other offloads. */
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
