// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.cm;

import io.queuepair.emulator.cm.CmServices.Admission;
import io.queuepair.emulator.wire.CmField;
import io.queuepair.emulator.wire.CmKind;
import io.queuepair.emulator.wire.CmMessage;
import io.queuepair.emulator.wire.ImmutableBytes;
import io.queuepair.emulator.wire.RejectReason;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Gid;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Two hosts whose messages arrive at once, unless they are lost, and the time between them. What
 * their programs do can be text: see {@link #play}.
 */
final class CmHosts {
  static final long SERVICE = 0x0106_1d2fL;

  final CmHost a = new CmHost("10.0.0.1", 0x0a, 1);
  final CmHost b = new CmHost("10.0.0.2", 0x0b, 2);
  final List<String> wire = new ArrayList<>();
  private final List<String> log = new ArrayList<>();
  private CmId active;
  private CmId passive;
  long nowNanos = 1;

  /** Which messages are lost from now on. */
  Predicate<CmMessage> lost = message -> false;

  /** One host: its engine, and its events so far. */
  final class CmHost implements CmServices {
    final CmEngine engine;
    final Gid gid;
    final long caGuid;
    final List<CmEvent> events = new ArrayList<>();
    CmListener listener;
    int displaced;

    CmHost(String address, long caGuid, long seed) {
      try {
        gid = Gid.of(InetAddress.getByName(address));
      } catch (UnknownHostException impossible) {
        throw new IllegalStateException(impossible);
      }
      this.caGuid = caGuid;
      engine = new CmEngine(this, new Random(seed));
    }

    @Override
    public Admission admit(CmPeer from, CmMessage request) {
      return listener == null
          ? Admission.refused(RejectReason.INVALID_SERVICE_ID)
          : Admission.by(listener);
    }

    @Override
    public void displaced(CmPeer peer) {
      displaced++;
    }

    void destroy(CmId id) {
      engine.destroy(id, nowNanos);
      run();
    }

    /** A message of the test arrives. */
    void receive(CmPeer from, CmMessage message) {
      engine.receive(from, message, nowNanos);
      run();
    }

    CmPeer asPeer() {
      return new CmPeer(0, AhAttr.to(gid));
    }

    void listen(int backlog) {
      listener = new CmListener(backlog);
    }

    List<CmEventType> events() {
      return events.stream().map(CmEvent::type).toList();
    }

    CmEvent last() {
      return events.get(events.size() - 1);
    }
  }

  /** The request of a connection from the first to the second host. */
  CmMessage req(CmId id, int qpn) {
    return CmMessage.of(CmKind.REQ)
        .set(CmField.REQ_LOCAL_COMM_ID, id.localCommId())
        .set(CmField.REQ_SERVICE_ID, SERVICE)
        .set(CmField.REQ_LOCAL_CA_GUID, a.caGuid)
        .set(CmField.REQ_LOCAL_QPN, qpn)
        .set(CmField.REQ_REMOTE_CM_RESPONSE_TIMEOUT, CmTimeouts.CM_RESPONSE_TIMEOUT)
        .set(CmField.REQ_LOCAL_CM_RESPONSE_TIMEOUT, CmTimeouts.CM_RESPONSE_TIMEOUT)
        .set(CmField.REQ_MAX_CM_RETRIES, CmTimeouts.MAX_CM_RETRIES)
        .set(CmField.REQ_PKEY, 0xffff)
        .set(CmField.REQ_PATH_MTU, 3)
        .set(CmField.REQ_PRIMARY_LOCAL_LID, 0xffff)
        .set(CmField.REQ_PRIMARY_REMOTE_LID, 0xffff)
        .set(CmField.REQ_PRIMARY_LOCAL_GID, a.gid)
        .set(CmField.REQ_PRIMARY_REMOTE_GID, b.gid)
        .set(CmField.REQ_PRIMARY_HOP_LIMIT, 64)
        .set(CmField.REQ_PRIMARY_LOCAL_ACK_TIMEOUT, 17);
  }

  CmMessage rep(CmId id, int qpn) {
    return CmMessage.of(CmKind.REP, id.localCommId(), id.remoteCommId())
        .set(CmField.REP_LOCAL_QPN, qpn)
        .set(CmField.REP_LOCAL_CA_GUID, b.caGuid);
  }

  CmId connect(int qpn) {
    CmId id = a.engine.create();
    id.setRetries(
        CmTimeouts.MAX_CM_RETRIES,
        CmTimeouts.reqNanos(CmTimeouts.CM_RESPONSE_TIMEOUT, CmTimeouts.PACKET_LIFETIME),
        CmTimeouts.PACKET_LIFETIME);
    a.engine.sendReq(id, b.asPeer(), req(id, qpn), nowNanos);
    run();
    return id;
  }

  /** The second host accepts what came last. */
  CmId accept(int qpn) {
    CmId id = b.last().id();
    b.engine.taken(id);
    b.engine.sendRep(id, rep(id, qpn), nowNanos);
    run();
    return id;
  }

  /** The first host says that the connection is there. */
  void establish(CmId id) {
    a.engine.sendRtu(id, nowNanos);
    run();
  }

  /** Both ends of a connection between queue pairs 0x11 and 0x22. */
  CmId[] established() {
    b.listen(1);
    CmId active = connect(0x11);
    CmId passive = accept(0x22);
    establish(active);
    wire.clear();
    a.events.clear();
    b.events.clear();
    return new CmId[] {active, passive};
  }

  CmMessage sidrReq(CmId id) {
    return CmMessage.of(CmKind.SIDR_REQ)
        .set(CmField.SIDR_REQ_REQUEST_ID, id.localCommId())
        .set(CmField.SIDR_REQ_PKEY, 0xffff)
        .set(CmField.SIDR_REQ_SERVICE_ID, SERVICE);
  }

  /** The answer that a queue pair serves the datagrams of a request. */
  CmMessage sidrRep(CmId id, int qpn) {
    return CmMessage.of(CmKind.SIDR_REP)
        .set(CmField.SIDR_REP_REQUEST_ID, id.remoteCommId())
        .set(CmField.SIDR_REP_QPN, qpn)
        .set(CmField.SIDR_REP_SERVICE_ID, SERVICE)
        .set(CmField.SIDR_REP_QKEY, 0x0123_4567);
  }

  /** The first host asks the second for a service. */
  CmId askForService() {
    CmId id = a.engine.create();
    a.engine.sendSidrReq(id, b.asPeer(), sidrReq(id), nowNanos);
    run();
    return id;
  }

  /** Carries messages until there are none. */
  void run() {
    boolean moves = true;
    while (moves) {
      moves = carry(a, b);
      moves |= carry(b, a);
    }
  }

  private boolean carry(CmHost from, CmHost to) {
    boolean moves = false;
    for (CmOutgoing next = from.engine.pollOutgoing();
        next != null;
        next = from.engine.pollOutgoing()) {
      moves = true;
      CmMessage message = next.message();
      boolean isLost = lost.test(message) || !next.to().gid().equals(to.gid);
      String line = (from == a ? "a>" : "b>") + message.kind() + (isLost ? " lost" : "");
      wire.add(line);
      log.add(line);
      if (!isLost) {
        to.engine.receive(from.asPeer(), message, nowNanos);
      }
    }
    takeEvents(from);
    takeEvents(to);
    return moves;
  }

  private void takeEvents(CmHost host) {
    for (CmEvent event = host.engine.pollEvent(); event != null; event = host.engine.pollEvent()) {
      host.events.add(event);
      if (host == b && event.type().name().endsWith("REQ_RECEIVED")) {
        passive = event.id();
      }
      log.add((host == a ? "a " : "b ") + event.type() + details(event.message()));
    }
  }

  private static String details(CmMessage message) {
    CmKind kind = message == null ? null : message.kind();
    return kind == CmKind.REJ
        ? " " + message.answered() + " " + message.get(CmField.REJ_REASON)
        : kind == CmKind.MRA ? " " + message.answered() : "";
  }

  /**
   * Steps with a semicolon between them, about the latest active end, which is of the first host,
   * and the latest passive one, which is of the second. Returns all that is sent and reported, and
   * how many milliseconds pass until the next deadline.
   */
  String play(String script) {
    log.clear();
    for (String step : script.split("; ", -1)) {
      String[] words = step.split(" ", -1);
      perform(words[0], words.length > 1 ? words[1] : "", step.endsWith(" once"));
      run();
    }
    return String.join("; ", log);
  }

  private void perform(String verb, String argument, boolean once) {
    switch (verb) {
      case "connect" -> active = connect(Integer.parseInt(argument, 16));
      case "accept" -> accept(Integer.parseInt(argument, 16));
      case "rtu" -> establish(active);
      case "connected" -> {
        active = established()[0];
        log.clear();
      }
      case "lose" -> lost = once ? first(CmKind.valueOf(argument)) : all(CmKind.valueOf(argument));
      case "dreq" -> ends(argument, (host, id) -> host.engine.sendDreq(id, nowNanos));
      case "drep" -> ends(argument, (host, id) -> host.engine.sendDrep(id, nowNanos));
      case "destroy" -> ends(argument, (host, id) -> host.engine.destroy(id, nowNanos));
      case "mra" -> ends(argument, (host, id) -> host.engine.prepareMra(id, nowNanos));
      case "shutdown" -> ends(argument, (host, id) -> host.engine.shutDown(nowNanos));
      case "ends" -> ends(argument, (host, id) -> log.add(host.engine.size() + " ends"));
      case "state" -> ends(argument, (host, id) -> log.add(id.state().name()));
      case "qpn" -> ends(argument, (host, id) -> log.add(id.holdsQpn() ? "held" : "free"));
      case "reject" ->
          b.engine.sendRej(passive, RejectReason.CONSUMER_DEFINED, ImmutableBytes.EMPTY, nowNanos);
      case "notify" -> log.add("notified " + b.engine.notify(passive, nowNanos));
      case "ask" -> active = askForService();
      case "serve" -> b.engine.sendSidrRep(passive, sidrRep(passive, 0x33), nowNanos);
      case "wait" -> nowNanos += TimeUnit.MILLISECONDS.toNanos(Long.parseLong(argument));
      case "deadline" -> log.add(hasDeadline() ? "+" + millisToDeadline() : "none");
      case "next" -> {
        log.add("+" + millisToDeadline());
        expireNext();
      }
      default -> throw new IllegalArgumentException(verb);
    }
  }

  /** At each of the hosts that are named. */
  private void ends(String names, BiConsumer<CmHost, CmId> action) {
    if (names.contains("a")) {
      action.accept(a, active);
    }
    if (names.contains("b")) {
      action.accept(b, passive);
    }
  }

  private long nextDeadlineNanos() {
    return Stream.of(a, b)
        .filter(host -> host.engine.hasDeadline())
        .mapToLong(host -> host.engine.deadlineNanos())
        .min()
        .orElseThrow();
  }

  private long millisToDeadline() {
    return TimeUnit.NANOSECONDS.toMillis(nextDeadlineNanos() - nowNanos);
  }

  /** Lets the next deadline of both hosts come. */
  void expireNext() {
    nowNanos = nextDeadlineNanos();
    a.engine.expire(nowNanos);
    b.engine.expire(nowNanos);
    run();
  }

  boolean hasDeadline() {
    return a.engine.hasDeadline() || b.engine.hasDeadline();
  }

  static Predicate<CmMessage> all(CmKind kind) {
    return message -> message.kind() == kind;
  }

  /** The first message of a kind. */
  static Predicate<CmMessage> first(CmKind kind) {
    boolean[] was = new boolean[1];
    return message -> {
      boolean is = message.kind() == kind && !was[0];
      was[0] |= is;
      return is;
    };
  }
}
