// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.states;

import io.queuepair.verbs.QpState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What a queue pair should do, modelled in the simplest way: two queues, a state, and what is
 * expected on its completion queues. Messages are one packet long. The network moves only in {@link
 * #runNetwork}, and then until it rests.
 */
final class StateModel {
  private static final Set<QpState> RECEIVING =
      EnumSet.of(QpState.RTR, QpState.RTS, QpState.SQD, QpState.SQE);

  private final QpKind kind;
  private final Deque<Long> receives = new ArrayDeque<>();
  private final Deque<ModelSend> sends = new ArrayDeque<>();

  /** Completions not taken yet. */
  private final List<String> sendOutcomes = new ArrayList<>();

  private final List<String> receiveOutcomes = new ArrayList<>();
  private QpState state = QpState.RESET;

  /** In SQD: whether a send that has started is not done. */
  private boolean isDraining;

  private boolean peerIsConnected;
  private int peerReceives;

  /** Messages that have left and not arrived. */
  private int underWay;

  /** A send that is posted; a bad one fails when it is its turn. */
  private static final class ModelSend {
    private final long wrId;
    private final boolean isGood;
    private final boolean isSignaled;
    private boolean isStarted;

    private ModelSend(long wrId, boolean isGood, boolean isSignaled) {
      this.wrId = wrId;
      this.isGood = isGood;
      this.isSignaled = isSignaled;
    }
  }

  StateModel(QpKind kind) {
    this.kind = kind;
  }

  QpState state() {
    return state;
  }

  boolean isDraining() {
    return isDraining;
  }

  boolean peerIsConnected() {
    return peerIsConnected;
  }

  List<String> takeSends() {
    return take(sendOutcomes);
  }

  List<String> takeReceives() {
    return take(receiveOutcomes);
  }

  private static List<String> take(List<String> outcomes) {
    List<String> taken = List.copyOf(outcomes);
    outcomes.clear();
    return taken;
  }

  /** The states that can be asked for. */
  boolean leadsTo(QpState to) {
    Set<QpState> next =
        switch (state) {
          case RESET -> EnumSet.of(QpState.RESET, QpState.INIT, QpState.ERR);
          case INIT -> EnumSet.of(QpState.RESET, QpState.INIT, QpState.RTR, QpState.ERR);
          case RTR -> EnumSet.of(QpState.RESET, QpState.RTS, QpState.ERR);
          case RTS, SQD -> EnumSet.of(QpState.RESET, QpState.RTS, QpState.SQD, QpState.ERR);
          case SQE -> EnumSet.of(QpState.RESET, QpState.RTS, QpState.ERR);
          case ERR -> EnumSet.of(QpState.RESET, QpState.ERR);
          case UNKNOWN -> EnumSet.noneOf(QpState.class);
        };
    boolean mayInterrupt = to == QpState.RESET || to == QpState.ERR;
    return next.contains(to) && (!isDraining || mayInterrupt);
  }

  /** Whether the way there takes more attributes than the state. */
  boolean needsAttributes(QpState to) {
    return switch (state) {
      case RESET -> to == QpState.INIT;
      case INIT -> to == QpState.RTR && kind != QpKind.UD;
      case RTR -> to == QpState.RTS;
      case RTS, SQD, SQE, ERR, UNKNOWN -> false;
    };
  }

  /** Enters a state to which the present one leads. */
  void enter(QpState to) {
    state = to;
    isDraining = to == QpState.SQD && sends.stream().anyMatch(send -> send.isStarted);
    switch (to) {
      case RESET -> {
        sends.clear();
        receives.clear();
        sendOutcomes.clear();
        receiveOutcomes.clear();
      }
      case RTS -> startSends();
      case ERR -> fail();
      case INIT, RTR, SQD, SQE, UNKNOWN -> {}
    }
  }

  /** The peer is reset, together with the queue pair. */
  void connectPeer() {
    peerIsConnected = true;
    peerReceives = 0;
  }

  void resetPeer() {
    peerIsConnected = false;
    peerReceives = 0;
  }

  boolean takesReceives() {
    return state != QpState.RESET;
  }

  boolean takesSends() {
    return state == QpState.RTS
        || state == QpState.SQD
        || state == QpState.SQE
        || state == QpState.ERR;
  }

  void postReceive(long wrId) {
    receives.add(wrId);
    if (state == QpState.ERR) {
      flushReceives();
    }
  }

  void postSend(long wrId, boolean isGood, boolean isSignaled) {
    sends.add(new ModelSend(wrId, isGood, isSignaled));
    if (state == QpState.ERR || state == QpState.SQE) {
      flushSends();
    } else if (state == QpState.RTS) {
      startSends();
    }
  }

  void peerPostsReceive() {
    peerReceives++;
  }

  /** A message of the peer arrives, unless it is dropped. */
  void peerSends() {
    if (RECEIVING.contains(state) && !receives.isEmpty()) {
      receiveOutcomes.add(kind.received(receives.remove(), TestSide.SHORT));
    } else if (kind.isReliable()) {
      resetPeer(); // Its retries are exhausted.
    }
  }

  /** Everything that is under way arrives or is given up. */
  void runNetwork() {
    if (kind.isReliable() && (state == QpState.RTS || state == QpState.SQD)) {
      finishStarted();
    } else if (peerIsConnected) {
      peerReceives -= Math.min(peerReceives, underWay);
    }
    underWay = 0;
  }

  private void finishStarted() {
    while (!sends.isEmpty() && sends.peek().isStarted && state != QpState.ERR) {
      ModelSend send = sends.remove();
      if (!send.isGood) {
        failWith(send, "LOC_PROT_ERR");
      } else if (!peerIsConnected) {
        failWith(send, "RETRY_EXC_ERR");
      } else if (peerReceives == 0) {
        failWith(send, "RNR_RETRY_EXC_ERR");
      } else {
        peerReceives--;
        succeed(send);
      }
    }
    isDraining = false;
  }

  /** What leaves at once in RTS: all, up to a bad one. */
  private void startSends() {
    if (kind.isReliable()) {
      for (ModelSend send : sends) {
        if (!send.isStarted) {
          send.isStarted = true;
          underWay += send.isGood ? 1 : 0;
        }
        if (!send.isGood) {
          break;
        }
      }
      if (!sends.isEmpty() && !sends.peek().isGood) {
        failWith(sends.remove(), "LOC_PROT_ERR");
      }
      return;
    }
    while (!sends.isEmpty() && state == QpState.RTS) {
      ModelSend send = sends.remove();
      if (send.isGood) {
        underWay++;
        succeed(send);
      } else {
        failWith(send, "LOC_PROT_ERR");
      }
    }
  }

  private void succeed(ModelSend send) {
    if (send.isSignaled) {
      sendOutcomes.add(send.wrId + " SEND");
    }
  }

  private void failWith(ModelSend send, String status) {
    sendOutcomes.add(send.wrId + " " + status);
    if (kind.isReliable()) {
      state = QpState.ERR;
      fail();
    } else {
      state = QpState.SQE;
      flushSends();
    }
  }

  private void fail() {
    isDraining = false;
    flushSends();
    flushReceives();
  }

  private void flushSends() {
    sends.forEach(send -> sendOutcomes.add(send.wrId + " WR_FLUSH_ERR"));
    sends.clear();
  }

  private void flushReceives() {
    receives.forEach(wrId -> receiveOutcomes.add(wrId + " WR_FLUSH_ERR"));
    receives.clear();
  }
}
