// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.lab.cmsimulation.CmCensus;
import io.queuepair.lab.simulation.Violation;
import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * A program on the device under fire that listens with {@code rdma_cm}: it accepts, rejects or
 * leaves requests, now and then late, and keeps few ids.
 */
final class CmProgram {
  /** The port of both port spaces. */
  static final int PORT = 2;

  static final int BACKLOG = 4;

  private static final int QPN = 0x00ab_0006;
  private static final int MOST_OPEN = 8;

  /** In so many rounds further requests come than the backlog has room for. */
  private static final int MOST_BUSY_ROUNDS = 400;

  private final RdmaCm cm;
  private final FuzzRandom random;
  private final RdmaEventChannel channel;
  private final List<RdmaCmId> listeners = new ArrayList<>();
  private final Deque<RdmaCmId> open = new ArrayDeque<>();

  /** What is there without it. */
  private final CmCensus before;

  /** Requests that it has taken: their ends may wait for the time-wait. */
  private int taken;

  private int busyRounds;
  private int established;
  private int ended;

  CmProgram(RdmaCm cm, InetAddress address, FuzzRandom random) {
    this.cm = cm;
    this.random = random;
    before = CmCensus.of(cm);
    channel = cm.createEventChannel();
    for (RdmaPortSpace space : List.of(RdmaPortSpace.TCP, RdmaPortSpace.UDP)) {
      RdmaCmId listener = channel.createId(space);
      listener.bindAddr(new InetSocketAddress(address, PORT));
      listener.listen(BACKLOG);
      listeners.add(listener);
    }
  }

  /** Takes all events, unless it is busy. */
  void serve() {
    verifyBounded();
    if (busyRounds > 0) {
      busyRounds--;
      return;
    }
    busyRounds = random.below(MOST_BUSY_ROUNDS);
    for (Optional<RdmaCmEvent> next = next(); next.isPresent(); next = next()) {
      RdmaCmEventType type = next.get().event();
      RdmaCmId id = next.get().id();
      next.get().ack();
      if (type == RdmaCmEventType.CONNECT_REQUEST) {
        answer(id);
      } else if (type == RdmaCmEventType.ESTABLISHED) {
        established++;
      } else {
        ended += type == RdmaCmEventType.DISCONNECTED ? 1 : 0;
        attempt(id::disconnect);
        close(id);
      }
    }
    while (open.size() > MOST_OPEN) {
      open.removeFirst().close();
    }
  }

  private Optional<RdmaCmEvent> next() {
    return channel.getCmEvent(Duration.ZERO);
  }

  private void answer(RdmaCmId id) {
    taken++;
    open.addLast(id);
    int choice = random.below(10);
    if (choice < 4) {
      attempt(() -> id.accept(RdmaConnParam.of(1, 1).withQp(QPN, false)));
    } else if (choice < 6) {
      id.createQp(null, new QpInitAttr(id.qpType(), null, null, null, QpCap.of(4), true));
      attempt(id::accept);
    } else if (choice < 8) {
      attempt(id::reject);
      close(id);
    }
  }

  private void close(RdmaCmId id) {
    if (open.remove(id)) {
      id.close();
    }
  }

  /** What comes too late is refused: the peer may have ended the connection. */
  private static void attempt(Runnable call) {
    try {
      call.run();
    } catch (VerbsException refused) {
      Violation.unless(refused.errno() == Errno.EINVAL, "a call of rdma_cm fails: %s", refused);
    }
  }

  /** Half-open connections are limited by the backlog, the others by what the program accepts. */
  private void verifyBounded() {
    int pending = listeners.size() * BACKLOG;
    CmCensus now = CmCensus.of(cm);
    int ids = now.ids() - before.ids() - listeners.size() - open.size();
    Violation.unless(ids <= pending, "%d requests wait with a backlog of %d", ids, BACKLOG);
    int ends = now.ends() - before.ends() - taken;
    Violation.unless(ends <= pending, "%d connections wait with a backlog of %d", ends, BACKLOG);
  }

  /** Requests that it has taken; how many connections came of them, and what their peers ended. */
  int taken() {
    return taken;
  }

  int established() {
    return established;
  }

  int ended() {
    return ended;
  }

  /** Ends everything. */
  void finish() {
    for (Optional<RdmaCmEvent> next = next(); next.isPresent(); next = next()) {
      if (next.get().event() == RdmaCmEventType.CONNECT_REQUEST) {
        open.addLast(next.get().id());
      }
      next.get().ack();
    }
    open.forEach(RdmaCmId::close);
    listeners.forEach(RdmaCmId::close);
    channel.close();
  }

  /** Nothing is left, once all times are over. */
  void verifyGone() {
    CmCensus left = CmCensus.of(cm);
    Violation.unless(left.isEmpty(), "rdma_cm still has %s", left);
  }
}
