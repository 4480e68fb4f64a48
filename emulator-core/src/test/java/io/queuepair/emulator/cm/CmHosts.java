// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.cm;

import io.queuepair.emulator.cm.CmServices.Admission;
import io.queuepair.emulator.wire.CmKind;
import io.queuepair.emulator.wire.CmMad;
import io.queuepair.emulator.wire.CmPath;
import io.queuepair.emulator.wire.CmRep;
import io.queuepair.emulator.wire.CmReq;
import io.queuepair.emulator.wire.CmSidrReq;
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
import java.util.function.Predicate;

/** Two hosts whose messages arrive at once, unless they are lost, and the time between them. */
final class CmHosts {
  static final long SERVICE = 0x0106_1d2fL;

  final CmHost a = new CmHost("10.0.0.1", 0x0a, 1);
  final CmHost b = new CmHost("10.0.0.2", 0x0b, 2);
  final List<String> wire = new ArrayList<>();
  long nowNanos = 1;

  /** Which messages are lost from now on. */
  Predicate<CmMad> lost = mad -> false;

  /** One host: its engine, and its events so far. */
  static final class CmHost implements CmServices {
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
    public Admission admit(CmPeer from, CmReq req) {
      return admission();
    }

    @Override
    public Admission admit(CmPeer from, CmSidrReq req) {
      return admission();
    }

    private Admission admission() {
      return listener == null
          ? Admission.refused(RejectReason.INVALID_SERVICE_ID)
          : Admission.by(listener);
    }

    @Override
    public void displaced(CmPeer peer) {
      displaced++;
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
  CmReq req(CmId id, int qpn) {
    CmPath path = new CmPath(0xffff, 0xffff, a.gid, b.gid, 0, 0, 0, 64, 0, false, 17);
    return CmReq.builder()
        .localCommId(id.localCommId())
        .serviceId(SERVICE)
        .localCaGuid(a.caGuid)
        .localQpn(qpn)
        .remoteCmResponseTimeout(CmTimeouts.CM_RESPONSE_TIMEOUT)
        .localCmResponseTimeout(CmTimeouts.CM_RESPONSE_TIMEOUT)
        .maxCmRetries(CmTimeouts.MAX_CM_RETRIES)
        .pkey(0xffff)
        .pathMtu(3)
        .primary(path)
        .build();
  }

  CmRep rep(CmId id, int qpn) {
    return CmRep.builder()
        .localCommId(id.localCommId())
        .remoteCommId(id.remoteCommId())
        .localQpn(qpn)
        .localCaGuid(b.caGuid)
        .build();
  }

  CmId connect(int qpn) {
    CmId id = a.engine.create();
    id.setRetries(
        CmTimeouts.MAX_CM_RETRIES,
        CmTimeouts.reqNanos(CmTimeouts.CM_RESPONSE_TIMEOUT, CmTimeouts.PACKET_LIFETIME),
        CmTimeouts.PACKET_LIFETIME);
    a.engine.sendReq(id, b.asPeer(), req(id, qpn), 0, nowNanos);
    run();
    return id;
  }

  /** The second host accepts what came last. */
  CmId accept(int qpn) {
    CmId id = b.last().id();
    b.engine.taken(id);
    b.engine.sendRep(id, rep(id, qpn), 0, nowNanos);
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

  CmSidrReq sidrReq(CmId id) {
    return new CmSidrReq(id.localCommId(), 0xffff, SERVICE, ImmutableBytes.EMPTY);
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
      CmMad mad = next.mad();
      boolean isLost = lost.test(mad) || !next.to().gid().equals(to.gid);
      wire.add((from == a ? "a>" : "b>") + mad.message().kind() + (isLost ? " lost" : ""));
      if (!isLost) {
        to.engine.receive(from.asPeer(), mad, nowNanos);
      }
    }
    takeEvents(from);
    takeEvents(to);
    return moves;
  }

  private static void takeEvents(CmHost host) {
    for (CmEvent event = host.engine.pollEvent(); event != null; event = host.engine.pollEvent()) {
      host.events.add(event);
    }
  }

  /** Lets the next deadline of both hosts come; returns how many milliseconds that took. */
  long expireNext() {
    long next = Long.MAX_VALUE;
    for (CmHost host : List.of(a, b)) {
      if (host.engine.hasDeadline()) {
        next = Math.min(next, host.engine.nextDeadlineNanos());
      }
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(next - nowNanos);
    nowNanos = next;
    a.engine.expire(nowNanos);
    b.engine.expire(nowNanos);
    run();
    return millis;
  }

  boolean hasDeadline() {
    return a.engine.hasDeadline() || b.engine.hasDeadline();
  }

  static Predicate<CmMad> all(CmKind kind) {
    return mad -> mad.message().kind() == kind;
  }

  /** The first message of a kind. */
  static Predicate<CmMad> first(CmKind kind) {
    boolean[] was = new boolean[1];
    return mad -> {
      boolean is = mad.message().kind() == kind && !was[0];
      was[0] |= is;
      return is;
    };
  }
}
