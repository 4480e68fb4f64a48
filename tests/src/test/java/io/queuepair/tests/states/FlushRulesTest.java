// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.states;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.WorkCompletion;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How work is flushed (ibv_modify_qp(3), ibv_poll_cq(3), ibv_req_notify_cq(3)). */
final class FlushRulesTest {
  static Stream<QpKind> sending() {
    return Stream.of(QpKind.values()).filter(QpKind::sends);
  }

  static Stream<QpKind> reliable() {
    return sending().filter(QpKind::isReliable);
  }

  static Stream<QpKind> withReceiveQueue() {
    return Stream.of(QpKind.values()).filter(QpKind::hasReceiveQueue);
  }

  /** Posts while nothing can leave. */
  private static void postSends(QpStateFixture bench, QpKind kind) {
    TestSide subject = bench.subject();
    bench.fabric().stallAfter(0);
    subject.postSend(subject.send(20));
    subject.postSend(subject.unsignaled(21));
    subject.postSend(subject.send(22));
    if (kind.hasReceiveQueue()) {
      subject.postReceive(10);
      subject.postReceive(11);
    }
  }

  @ParameterizedTest
  @MethodSource("sending")
  void theSendThatFailsReportsItsStatusEvenIfUnsignaled(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      TestSide subject = bench.subject();
      MemoryRegion gone = subject.register(TestSide.SHORT);
      gone.close();

      subject.postSend(subject.unsignaled(20, gone.sge()));
      bench.drain();

      assertThat(subject.sends()).containsExactly("20 LOC_PROT_ERR");
    }
  }

  @ParameterizedTest
  @MethodSource("sending")
  void everySendBehindItIsFlushedInPostOrderAlsoTheUnsignaledOnes(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      TestSide subject = bench.subject();
      bench.fabric().stallAfter(0);
      subject.postSend(subject.badSend(20));
      subject.postSend(subject.unsignaled(21));
      subject.postSend(subject.send(22));
      subject.postSend(subject.unsignaled(23));

      bench.fabric().flow();
      bench.drain();

      assertThat(subject.sends())
          .containsExactly(
              "20 LOC_PROT_ERR", "21 WR_FLUSH_ERR", "22 WR_FLUSH_ERR", "23 WR_FLUSH_ERR");
    }
  }

  @ParameterizedTest
  @MethodSource("reliable")
  void whatIsAcknowledgedBeforeTheErrorCompletesFirst(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      TestSide subject = bench.subject();
      bench.peer().postReceive(40);
      bench.fabric().stallAfter(0);
      subject.postSend(subject.send(20));
      subject.postSend(subject.badSend(21));
      subject.postSend(subject.send(22));

      bench.fabric().flow();
      bench.drain();

      assertThat(subject.sends()).containsExactly("20 SEND", "21 LOC_PROT_ERR", "22 WR_FLUSH_ERR");
      assertThat(subject.state()).isEqualTo(QpState.ERR);
    }
  }

  /** The specification has a later error wait for its turn: the older send is tried to its end. */
  @ParameterizedTest
  @MethodSource("reliable")
  void theFirstErrorIsThatOfTheOldestSendEvenIfALaterOneFailedBefore(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      TestSide subject = bench.subject();
      bench.peer().modifyTo(QpState.RESET);
      bench.fabric().stallAfter(0);
      subject.postSend(subject.send(20));
      subject.postSend(subject.badSend(21));

      bench.fabric().flow();
      bench.drain();

      assertThat(subject.sends()).containsExactly("20 RETRY_EXC_ERR", "21 WR_FLUSH_ERR");
    }
  }

  @ParameterizedTest
  @MethodSource("withReceiveQueue")
  void everyReceiveIsFlushedInPostOrder(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      postSends(bench, kind);

      bench.subject().modifyTo(QpState.ERR);

      assertThat(bench.subject().receives()).containsExactly("10 WR_FLUSH_ERR", "11 WR_FLUSH_ERR");
    }
  }

  @ParameterizedTest
  @MethodSource("sending")
  void theOldestSendHasNoStatusOfItsOwnWhenTheApplicationFlushes(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      postSends(bench, kind);

      bench.subject().modifyTo(QpState.ERR);

      assertThat(bench.subject().sends())
          .containsExactly("20 WR_FLUSH_ERR", "21 WR_FLUSH_ERR", "22 WR_FLUSH_ERR");
    }
  }

  @ParameterizedTest
  @MethodSource("sending")
  void whatIsPostedInErrIsAcceptedAndFlushedEveryTime(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.with(new TypeAndState(kind, QpState.ERR))) {
      TestSide subject = bench.subject();
      for (int wrId = 20; wrId < 23; wrId++) {
        subject.postSend(subject.unsignaled(wrId));
        assertThat(subject.sends()).containsExactly(wrId + " WR_FLUSH_ERR");
        bench.drain();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("withReceiveQueue")
  void receivesPostedInErrAreFlushedWithoutAnotherTrigger(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.with(new TypeAndState(kind, QpState.ERR))) {
      bench.subject().postReceive(10);
      assertThat(bench.subject().receives()).containsExactly("10 WR_FLUSH_ERR");
    }
  }

  @ParameterizedTest
  @MethodSource("sending")
  void flushedCompletionsNameTheQueuePair(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      postSends(bench, kind);
      bench.subject().modifyTo(QpState.ERR);

      List<WorkCompletion> sends = bench.subject().sendCq().poll(10);

      assertThat(sends)
          .hasSize(3)
          .allMatch(wc -> wc.qpNum() == bench.subject().qp().qpNum())
          .allMatch(wc -> wc.vendorErr() == 0);
    }
  }

  @ParameterizedTest
  @MethodSource("sending")
  void flushedCompletionsCountAsSolicited(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      CompletionChannel channel = bench.subject().channel();
      postSends(bench, kind);
      bench.subject().sendCq().reqNotify(true);

      bench.subject().modifyTo(QpState.ERR);

      assertThat(channel.getCqEvent()).isSameAs(bench.subject().sendCq());
      bench.subject().sendCq().ackEvents(1);
    }
  }

  @ParameterizedTest
  @MethodSource("sending")
  void aCompletionQueueThatFillsUpInTheFlushKeepsWhatItHolds(QpKind kind) {
    try (QpStateFixture bench =
        QpStateFixture.connected(kind, new TestSide.SideShape(64, 2, TestSide.Receives.OWN))) {
      postSends(bench, kind);

      bench.subject().modifyTo(QpState.ERR);

      assertThat(bench.subject().events()).containsOnlyOnce(EventType.CQ_ERR);
      assertThat(bench.subject().sends()).containsExactly("20 WR_FLUSH_ERR", "21 WR_FLUSH_ERR");
      assertThat(bench.subject().state()).isEqualTo(QpState.ERR);
    }
  }

  @ParameterizedTest
  @MethodSource("sending")
  void destroyingDiscardsWorkWithoutCompletions(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      postSends(bench, kind);

      bench.subject().qp().close();
      bench.fabric().flow();
      bench.drain();

      assertThat(bench.subject().sendCq().poll(10)).isEmpty();
      assertThat(bench.subject().recvCq().poll(10)).isEmpty();
    }
  }
}
