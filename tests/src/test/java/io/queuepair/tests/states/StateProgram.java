// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.states;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.VerbsException;
import java.util.EnumSet;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Runs steps on a queue pair and on the model of it, and compares the two after each. */
final class StateProgram {
  private final QpStateFixture bench;
  private final TestSide subject;
  private final TestSide peer;
  private final StateModel model;
  private long nextWrId = 1;

  StateProgram(QpKind kind, QpStateFixture bench) {
    this.bench = bench;
    subject = bench.subject();
    peer = bench.peer();
    model = new StateModel(kind);
  }

  void run(StateStep step) {
    if (step instanceof StateStep.Modify modify) {
      modify(modify.to());
    } else if (step instanceof StateStep.Connect) {
      modify(QpState.INIT);
      modify(QpState.RTR);
      modify(QpState.RTS);
    } else if (step instanceof StateStep.ModifyWithTooMuch modify) {
      modifyWithTooMuch(modify.to());
    } else if (step instanceof StateStep.ModifyWithTooLittle modify) {
      modifyWithTooLittle(modify.to());
    } else if (step instanceof StateStep.PostReceive) {
      postReceive();
    } else if (step instanceof StateStep.PostSend post) {
      long wrId = nextWrId++;
      SendWr wr = post.isSignaled() ? subject.send(wrId) : subject.unsignaled(wrId);
      postSend(wr, true, post.isSignaled());
    } else if (step instanceof StateStep.PostBadSend) {
      postSend(subject.badSend(nextWrId++), false, true);
    } else if (step instanceof StateStep.Poll) {
      poll();
    } else {
      runPeer(step);
    }
    compare();
  }

  private void runPeer(StateStep step) {
    if (step instanceof StateStep.RunNetwork) {
      runNetwork();
    } else if (step instanceof StateStep.PeerResets) {
      peer.modifyTo(QpState.RESET);
      model.resetPeer();
    } else if (step instanceof StateStep.PeerPostsReceive && model.peerIsConnected()) {
      peer.postReceive(nextWrId++);
      model.peerPostsReceive();
    } else if (step instanceof StateStep.PeerSends && model.peerIsConnected()) {
      runNetwork();
      peer.postSend(peer.send(nextWrId++));
      bench.drain();
      model.peerSends();
    }
  }

  private void compare() {
    assertThat(subject.state()).isEqualTo(model.state());
    assertThat(subject.qp().query().sqDraining()).isEqualTo(model.isDraining());
  }

  private void poll() {
    assertThat(subject.sends()).isEqualTo(model.takeSends());
    assertThat(subject.receives()).isEqualTo(model.takeReceives());
  }

  private void runNetwork() {
    bench.drain();
    model.runNetwork();
  }

  private static void assertRefused(ThrowingCallable verb) {
    VerbsException refusal = catchThrowableOfType(VerbsException.class, verb);

    assertThat(refusal).isNotNull();
    assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
  }

  private void modify(QpState to) {
    modify(subject.to(to), subject.to(to).mask());
  }

  private void modifyWithTooMuch(QpState to) {
    QpAttr attr = subject.to(to);
    Set<QpAttrMask> mask = EnumSet.of(QpAttrMask.RATE_LIMIT);
    mask.addAll(attr.mask());
    assertRefused(() -> subject.qp().modify(attr, mask));
  }

  private void modifyWithTooLittle(QpState to) {
    QpAttr attr = subject.to(to);
    if (model.needsAttributes(to)) {
      assertRefused(() -> subject.qp().modify(attr, EnumSet.of(QpAttrMask.STATE)));
    } else {
      modify(attr, EnumSet.of(QpAttrMask.STATE));
    }
  }

  private void modify(QpAttr attr, Set<QpAttrMask> mask) {
    QpState to = attr.qpState();
    if (!model.leadsTo(to)) {
      assertRefused(() -> subject.qp().modify(attr, mask));
      return;
    }
    if (to == QpState.RTR) {
      reconnectPeer();
    }
    subject.qp().modify(attr, mask);
    model.enter(to);
  }

  /** Both ends have to begin with the same PSN, and without packets of an earlier life. */
  private void reconnectPeer() {
    runNetwork();
    peer.modifyTo(QpState.RESET);
    peer.connect();
    model.connectPeer();
  }

  private void postReceive() {
    long wrId = nextWrId++;
    if (model.takesReceives()) {
      subject.postReceive(wrId);
      model.postReceive(wrId);
    } else {
      assertRefused(() -> subject.postReceive(wrId));
    }
  }

  private void postSend(SendWr wr, boolean isGood, boolean isSignaled) {
    if (model.takesSends()) {
      subject.postSend(wr);
      model.postSend(wr.wrId(), isGood, isSignaled);
    } else {
      assertRefused(() -> subject.postSend(wr));
    }
  }
}
