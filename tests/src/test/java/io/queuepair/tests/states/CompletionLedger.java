// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.states;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Keeps the books of one queue pair since it was last reset: what was posted, what completed. */
final class CompletionLedger {
  private static final Set<QpState> SENDING =
      EnumSet.of(QpState.RTS, QpState.SQD, QpState.SQE, QpState.ERR);

  private final QpKind kind;
  private final QpStateFixture bench;
  private final TestSide subject;
  private final TestSide peer;
  private final List<LedgerEntry> sends = new ArrayList<>();
  private final List<LedgerEntry> receives = new ArrayList<>();
  private final Deque<WorkCompletion> sent = new ArrayDeque<>();
  private final Deque<WorkCompletion> received = new ArrayDeque<>();
  private long nextWrId = 1;

  /** How often sends have been made possible again after a failure. */
  private int recoveries;

  /**
   * A request that was accepted.
   *
   * @param isSilent whether success is not reported
   * @param recoveries how many there had been when it was posted
   */
  private record LedgerEntry(long wrId, boolean isSilent, int recoveries) {}

  CompletionLedger(QpKind kind, QpStateFixture bench) {
    this.kind = kind;
    this.bench = bench;
    subject = bench.subject();
    peer = bench.peer();
  }

  /** Asks for a state; a refusal changes nothing. */
  void modify(QpState to) {
    QpState from = subject.state();
    try {
      subject.modifyTo(to);
    } catch (VerbsException refused) {
      assertThat(subject.state()).as(refused.getMessage()).isEqualTo(from);
      return;
    }
    if (to == QpState.RESET) {
      assertThat(subject.sends()).isEmpty();
      assertThat(subject.receives()).isEmpty();
      sends.clear();
      receives.clear();
      sent.clear();
      received.clear();
    } else if (to == QpState.RTR) {
      peer.modifyTo(QpState.RESET);
      peer.connect();
    } else if (from == QpState.SQE && to == QpState.RTS) {
      recoveries++;
    }
  }

  void postSend(boolean isGood, boolean isSignaled) {
    long wrId = nextWrId++;
    boolean isAccepted = SENDING.contains(subject.state());
    try {
      if (!isGood) {
        subject.postSend(subject.badSend(wrId));
      } else if (isSignaled) {
        subject.postSend(kind.segments() ? subject.longSend(wrId) : subject.send(wrId));
      } else {
        subject.postSend(subject.unsignaled(wrId));
      }
      assertThat(isAccepted).isTrue();
      sends.add(new LedgerEntry(wrId, isGood && !isSignaled, recoveries));
    } catch (BadWorkRequestException refused) {
      assertThat(isAccepted).as(refused.getMessage()).isFalse();
    }
  }

  void postReceive() {
    if (kind.hasReceiveQueue() && subject.state() != QpState.RESET) {
      long wrId = nextWrId++;
      subject.postReceive(wrId);
      receives.add(new LedgerEntry(wrId, false, 0));
    }
  }

  void peerPostsReceive() {
    if (!kind.hasReceiveQueue() || peer.state() != QpState.RESET) {
      peer.postReceive(nextWrId++);
    }
  }

  void peerSends() {
    if (kind.receives() && SENDING.contains(peer.state())) {
      peer.postSend(kind.segments() ? peer.longSend(nextWrId++) : peer.send(nextWrId++));
    }
  }

  void poll() {
    sent.addAll(subject.sendCompletions());
    received.addAll(subject.receiveCompletions());
  }

  /** Flushes what is left and balances the books. */
  void settle() {
    QpState state = subject.state();
    subject.modifyTo(QpState.ERR);
    bench.drain();
    poll();
    assertThat(state == QpState.RESET && !(sends.isEmpty() && receives.isEmpty())).isFalse();
    assertBalanced(sends, sent);
    assertBalanced(receives, received);
  }

  private static void assertBalanced(List<LedgerEntry> posted, Deque<WorkCompletion> completions) {
    int failedIn = -1;
    for (LedgerEntry request : posted) {
      WorkCompletion next = completions.peek();
      if (next == null || next.wrId() != request.wrId()) {
        assertThat(request.isSilent()).as("%s is lost before %s", request, next).isTrue();
        assertThat(failedIn).as("%s behind a failure", request).isNotEqualTo(request.recoveries());
        continue;
      }
      completions.remove();
      if (next.isSuccess()) {
        assertThat(request.isSilent()).as("%s reports %s", request, next).isFalse();
        assertThat(failedIn).as("%s behind a failure", next).isNotEqualTo(request.recoveries());
      } else {
        if (failedIn == request.recoveries()) {
          assertThat(next.status()).as("%s", next).isEqualTo(WcStatus.WR_FLUSH_ERR);
        }
        failedIn = request.recoveries();
      }
    }
    assertThat(completions).isEmpty();
  }
}
