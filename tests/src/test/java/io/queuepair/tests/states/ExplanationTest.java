// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.states;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.conformance.Attributes;
import io.queuepair.tests.conformance.FaultyFabric.DatagramFate;
import io.queuepair.tests.states.TestSide.Receives;
import io.queuepair.tests.states.TestSide.SideShape;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every failure and every flush says in words what caused it. */
final class ExplanationTest {
  static Stream<QpKind> sending() {
    return Stream.of(QpKind.values()).filter(QpKind::sends);
  }

  static Stream<QpKind> reliable() {
    return sending().filter(QpKind::isReliable);
  }

  static Stream<QpKind> withReceiveQueue() {
    return Stream.of(QpKind.values()).filter(QpKind::hasReceiveQueue);
  }

  static Stream<QpKind> connectedWithReceiveQueue() {
    return withReceiveQueue().filter(QpKind::segments);
  }

  /** The statuses, and that the first says so and so and those after it name the first. */
  private static void assertNamed(List<WorkCompletion> sends, WcStatus status, String... cause) {
    assertThat(sends)
        .extracting(WorkCompletion::status)
        .containsExactly(status, WcStatus.WR_FLUSH_ERR);
    assertThat(sends.get(0).explain()).contains(cause);
    assertThat(sends.get(1).explain())
        .contains("wr_id " + sends.get(0).wrId())
        .contains(status.name())
        .contains(sends.get(0).explain());
  }

  private static List<WorkCompletion> sendTwo(QpStateFixture bench) {
    TestSide subject = bench.subject();
    bench.fabric().stallAfter(0);
    subject.postSend(subject.send(20));
    subject.postSend(subject.send(21));
    bench.fabric().flow();
    bench.drain();
    return subject.sendCompletions();
  }

  @ParameterizedTest
  @MethodSource("sending")
  void aFlushNamesTheApplicationThatAskedForIt(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      TestSide subject = bench.subject();
      bench.fabric().stallAfter(0);
      subject.postSend(subject.send(20));
      if (kind.hasReceiveQueue()) {
        subject.postReceive(10);
      }
      subject.modifyTo(QpState.ERR);
      subject.postSend(subject.send(21));

      assertThat(subject.sendCompletions())
          .hasSize(2)
          .allMatch(wc -> wc.explain().contains("the application moved the queue pair to ERR"));
      assertThat(subject.receiveCompletions())
          .hasSize(kind.hasReceiveQueue() ? 1 : 0)
          .allMatch(wc -> wc.explain().contains("the application moved the queue pair to ERR"));
    }
  }

  @ParameterizedTest
  @MethodSource("sending")
  void aBadKeyIsNamedAndSoIsTheSendThatHadIt(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      TestSide subject = bench.subject();
      bench.fabric().stallAfter(0);
      subject.postSend(subject.badSend(20));
      subject.postSend(subject.send(21));
      bench.fabric().flow();
      bench.drain();

      assertNamed(subject.sendCompletions(), WcStatus.LOC_PROT_ERR, "local memory", "key");
    }
  }

  @ParameterizedTest
  @MethodSource("reliable")
  void aNakIsNamedWithItsPsnAndWhatThePeerRefused(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      TestSide subject = bench.subject();
      bench.fabric().stallAfter(0);
      subject.postSend(subject.writeWith(20, 0xbad));
      subject.postSend(subject.send(21));
      bench.fabric().flow();
      bench.drain();

      assertNamed(
          subject.sendCompletions(),
          WcStatus.REM_ACCESS_ERR,
          "NAK 0x62",
          "PSN " + TestSide.PSN,
          "remote access");
    }
  }

  @ParameterizedTest
  @MethodSource("reliable")
  void aSilentPeerIsNamedWithTheTimerAndTheRetries(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      bench.fates(datagram -> DatagramFate.DROP);

      assertNamed(
          sendTwo(bench),
          WcStatus.RETRY_EXC_ERR,
          "no answer to PSN " + TestSide.PSN,
          "TIMEOUT 14",
          Attributes.RETRY_CNT + " retries");
    }
  }

  @ParameterizedTest
  @MethodSource("reliable")
  void aPeerWithoutReceivesIsNamedWithTheRetries(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      assertNamed(
          sendTwo(bench),
          WcStatus.RNR_RETRY_EXC_ERR,
          "no receive posted",
          Attributes.RNR_RETRY + " retries (RNR_RETRY)");
    }
  }

  @ParameterizedTest
  @MethodSource("withReceiveQueue")
  void aReceiveWithABadKeyIsNamedInTheFlushOfBothQueues(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      TestSide subject = bench.subject();
      subject.postReceive(10, new Sge(0, 4096, TestSide.BAD_LKEY));
      subject.postReceive(11);
      subject.modifyTo(QpState.SQD);
      subject.postSend(subject.send(20));
      bench.peer().postSend(bench.peer().send(30));
      bench.drain();

      List<WorkCompletion> receives = subject.receiveCompletions();
      List<WorkCompletion> sends = subject.sendCompletions();

      assertThat(receives)
          .extracting(WorkCompletion::status)
          .containsExactly(WcStatus.LOC_PROT_ERR, WcStatus.WR_FLUSH_ERR);
      assertThat(receives.get(0).explain()).contains("memory of the posted receive", "key");
      assertThat(receives.get(1).explain()).contains("memory of the posted receive", "key");
      assertThat(sends).hasSize(1);
      assertThat(sends.get(0).explain()).isEqualTo(receives.get(1).explain());
    }
  }

  @ParameterizedTest
  @MethodSource("reliable")
  void aRefusalIsNamedAtThePeerThatRefused(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      TestSide peer = bench.peer();
      peer.postReceive(40, peer.region().sge(0, 4));
      peer.postReceive(41);

      bench.subject().postSend(bench.subject().send(20));
      bench.drain();

      List<WorkCompletion> receives = peer.receiveCompletions();
      assertThat(receives.get(0).status()).isEqualTo(WcStatus.LOC_LEN_ERR);
      assertThat(receives.get(0).explain())
          .contains("PSN " + TestSide.PSN, "longer than the receive");
      assertThat(receives.subList(1, receives.size()))
          .allMatch(wc -> wc.explain().contains("longer than the receive"));
      assertThat(bench.subject().sendCompletions())
          .singleElement()
          .extracting(WorkCompletion::explain)
          .asString()
          .contains("NAK 0x61", "PSN " + TestSide.PSN, "a message that does not fit");
    }
  }

  @ParameterizedTest
  @MethodSource("withReceiveQueue")
  void anOverrunOfTheReceivesIsNamedInTheFlushOfTheSends(QpKind kind) {
    try (QpStateFixture bench =
        QpStateFixture.connected(kind, new SideShape(64, 1, Receives.OWN))) {
      TestSide subject = bench.subject();
      subject.postReceive(10);
      subject.postReceive(11);
      subject.modifyTo(QpState.SQD);
      subject.postSend(subject.send(20));
      bench.peer().postSend(bench.peer().send(30));
      bench.peer().postSend(bench.peer().send(31));
      bench.drain();

      assertThat(subject.sendCompletions())
          .singleElement()
          .extracting(WorkCompletion::explain)
          .asString()
          .contains(
              "the completion queue of 1 entry overran (wr_id 11 of queue pair "
                  + subject.qp().qpNum()
                  + ")");
    }
  }

  @ParameterizedTest
  @MethodSource("connectedWithReceiveQueue")
  void aMessageCutShortIsFlushedWithTheReasonOfTheFlush(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      bench.subject().postReceive(10);
      bench.fabric().stallAfter(1);
      bench.peer().postSend(bench.peer().longSend(30));
      bench.drain();

      bench.subject().modifyTo(QpState.ERR);

      assertThat(bench.subject().receiveCompletions())
          .singleElement()
          .satisfies(
              wc -> {
                assertThat(wc.wrId()).isEqualTo(10);
                assertThat(wc.status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
                assertThat(wc.explain()).contains("the application moved the queue pair to ERR");
              });
    }
  }
}
