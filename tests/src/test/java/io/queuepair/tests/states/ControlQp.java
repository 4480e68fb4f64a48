// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.states;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.conformance.Attributes;
import io.queuepair.tests.conformance.Outcomes;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;

/**
 * A queue pair that shares both completion queues with the one under test, and is connected to
 * itself: whatever happens to the other, it works, and its completions stay, in order.
 */
final class ControlQp {
  /** Far from those of the queue pairs under test. */
  static final int PSN = 0x50_0000;

  private final QueuePair qp;
  private final List<String> expectedSends = new ArrayList<>();
  private final List<String> expectedReceives = new ArrayList<>();
  private long nextWrId = 900;

  ControlQp(TestSide side) {
    QpInitAttr init =
        new QpInitAttr(
            QpType.RC, side.end().sendCq(), side.end().recvCq(), null, QpCap.of(8), false);
    qp = side.end().pd().createQp(init);
    qp.modify(Attributes.init(QpType.RC));
    qp.modify(Attributes.rtr(QpType.RC, side.gid(), qp.qpNum(), PSN));
    qp.modify(Attributes.rts(QpType.RC, PSN));
  }

  int qpNum() {
    return qp.qpNum();
  }

  /** Sends itself a message, which completes when the network runs. */
  void talk() {
    long wrId = nextWrId++;
    qp.postRecv(RecvWr.of(wrId));
    qp.postSend(SendWr.send(wrId));
    expectedSends.add(wrId + " SEND");
    expectedReceives.add(wrId + " RECV 0");
  }

  void assertUndisturbed(List<WorkCompletion> sends, List<WorkCompletion> receives) {
    assertThat(qp.query().qpState()).isEqualTo(QpState.RTS);
    assertThat(Outcomes.of(sends)).isEqualTo(expectedSends).isNotEmpty();
    assertThat(Outcomes.of(receives)).isEqualTo(expectedReceives).isNotEmpty();
  }
}
