// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.states;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.conformance.FaultyFabric.DatagramFate;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Draining the send queue: what has started finishes, what has not waits (ibv_modify_qp(3)). */
final class SqdTest {
  private static final QpAttr DRAIN_AND_TELL = QpAttr.to(QpState.SQD).enSqdAsyncNotify(true);

  static Stream<QpKind> sending() {
    return Stream.of(QpKind.values()).filter(QpKind::sends);
  }

  static Stream<QpKind> segmenting() {
    return sending().filter(QpKind::segments);
  }

  static Stream<QpKind> reliable() {
    return sending().filter(QpKind::isReliable);
  }

  static Stream<QpKind> all() {
    return Stream.of(QpKind.values());
  }

  /** A send of three packets of which one has left, and another send after it. */
  private static void catchHalfWay(QpStateFixture bench) {
    bench.peer().postReceive(40);
    bench.peer().postReceive(41);
    bench.fabric().stallAfter(1);
    bench.subject().postSend(bench.subject().longSend(20));
    bench.subject().postSend(bench.subject().send(21));
    assertThat(bench.requests()).hasSize(1);
  }

  private static List<EventType> drainedEvents(TestSide side) {
    List<EventType> events = new ArrayList<>(side.events());
    events.retainAll(List.of(EventType.SQ_DRAINED));
    return events;
  }

  @ParameterizedTest
  @MethodSource("all")
  void anIdleQueueIsDrainedAtOnce(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      bench.subject().qp().modify(DRAIN_AND_TELL);

      assertThat(bench.subject().state()).isEqualTo(QpState.SQD);
      assertThat(drainedEvents(bench.subject())).containsExactly(EventType.SQ_DRAINED);
    }
  }

  @ParameterizedTest
  @MethodSource("sending")
  void aQueueOfSendsThatHaveNotStartedIsDrainedAtOnce(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      bench.fabric().stallAfter(0);
      bench.subject().postSend(bench.subject().send(20));

      bench.subject().qp().modify(DRAIN_AND_TELL);

      assertThat(drainedEvents(bench.subject())).containsExactly(EventType.SQ_DRAINED);
      bench.fabric().flow();
      bench.drain();
      assertThat(bench.requests()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void nobodyIsToldWhoHasNotAsked(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      bench.subject().modifyTo(QpState.SQD);
      bench.drain();

      assertThat(drainedEvents(bench.subject())).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("segmenting")
  void nobodyIsToldOfABusyQueueWhoHasNotAsked(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      catchHalfWay(bench);
      bench.subject().modifyTo(QpState.SQD);
      bench.fabric().flow();
      bench.drain();

      assertThat(bench.subject().sends()).containsExactly("20 SEND");
      assertThat(drainedEvents(bench.subject())).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void whoHasAskedOnceIsNotToldTheNextTime(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      bench.subject().qp().modify(DRAIN_AND_TELL);
      assertThat(drainedEvents(bench.subject())).containsExactly(EventType.SQ_DRAINED);
      bench.subject().modifyTo(QpState.RTS);

      bench.subject().modifyTo(QpState.SQD);

      assertThat(drainedEvents(bench.subject())).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("segmenting")
  void theEventComesOnceWhenTheLastStartedSendIsDone(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      catchHalfWay(bench);

      bench.subject().qp().modify(DRAIN_AND_TELL);
      assertThat(drainedEvents(bench.subject())).isEmpty();
      bench.fabric().flow();
      bench.drain();

      assertThat(bench.subject().sends()).containsExactly("20 SEND");
      assertThat(drainedEvents(bench.subject())).containsExactly(EventType.SQ_DRAINED);
      assertThat(bench.subject().state()).isEqualTo(QpState.SQD);
    }
  }

  @ParameterizedTest
  @MethodSource("segmenting")
  void whatWaitedRunsInRtsWithoutAnotherPost(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      catchHalfWay(bench);
      bench.subject().modifyTo(QpState.SQD);
      bench.fabric().flow();
      bench.drain();
      bench.subject().postSend(bench.subject().send(22));
      bench.peer().postReceive(42);
      bench.drain();
      assertThat(bench.subject().sends()).containsExactly("20 SEND");

      bench.subject().modifyTo(QpState.RTS);
      bench.drain();

      assertThat(bench.subject().sends()).containsExactly("21 SEND", "22 SEND");
      assertThat(bench.peer().receives())
          .containsExactly(
              kind.received(40, TestSide.LONG),
              kind.received(41, TestSide.SHORT),
              kind.received(42, TestSide.SHORT));
    }
  }

  @ParameterizedTest
  @MethodSource("sending")
  void postsInSqdRunInRtsWithoutAnotherPost(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      bench.peer().postReceive(40);
      bench.subject().modifyTo(QpState.SQD);
      bench.subject().postSend(bench.subject().send(20));
      bench.drain();
      assertThat(bench.subject().sends()).isEmpty();

      bench.subject().modifyTo(QpState.RTS);
      bench.drain();

      assertThat(bench.subject().sends()).containsExactly("20 SEND");
      assertThat(bench.peer().receives()).containsExactly(kind.received(40, TestSide.SHORT));
    }
  }

  @ParameterizedTest
  @MethodSource("reliable")
  void aStartedSendIsSentAgainAfterALoss(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      int[] lost = {0};
      bench.fates(
          datagram ->
              !QpStateFixture.isResponse(datagram)
                      && datagram.psn() == TestSide.PSN + 1
                      && lost[0]++ == 0
                  ? DatagramFate.DROP
                  : DatagramFate.PASS);
      catchHalfWay(bench);

      bench.subject().qp().modify(DRAIN_AND_TELL);
      bench.fabric().flow();
      bench.drain();

      assertThat(lost[0]).isGreaterThan(1);
      assertThat(bench.subject().sends()).containsExactly("20 SEND");
      assertThat(bench.peer().receives()).containsExactly("40 RECV " + TestSide.LONG);
      assertThat(drainedEvents(bench.subject())).containsExactly(EventType.SQ_DRAINED);
    }
  }

  @ParameterizedTest
  @MethodSource("reliable")
  void aSendWhoseAcknowledgementIsLostStaysUnderWayUntilItIsAcknowledged(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      boolean[] isDeaf = {true};
      bench.fates(
          datagram ->
              isDeaf[0] && QpStateFixture.isResponse(datagram)
                  ? DatagramFate.DROP
                  : DatagramFate.PASS);
      bench.peer().postReceive(40);
      bench.subject().postSend(bench.subject().send(20));
      bench.run(Duration.ofMillis(1));

      bench.subject().qp().modify(DRAIN_AND_TELL);
      assertThat(drainedEvents(bench.subject())).isEmpty();
      isDeaf[0] = false;
      bench.drain();

      assertThat(bench.requests()).hasSizeGreaterThan(1);
      assertThat(bench.subject().sends()).containsExactly("20 SEND");
      assertThat(drainedEvents(bench.subject())).containsExactly(EventType.SQ_DRAINED);
    }
  }

  @ParameterizedTest
  @MethodSource("reliable")
  void aSendThatWaitsForAReceiverIsUnderWay(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      bench.subject().postSend(bench.subject().send(20));
      bench.run(Duration.ofNanos(100_000));

      bench.subject().qp().modify(DRAIN_AND_TELL);
      assertThat(drainedEvents(bench.subject())).isEmpty();
      bench.peer().postReceive(40);
      bench.drain();

      assertThat(bench.subject().sends()).containsExactly("20 SEND");
      assertThat(drainedEvents(bench.subject())).containsExactly(EventType.SQ_DRAINED);
    }
  }

  @ParameterizedTest
  @MethodSource("reliable")
  void aReadInProgressIsFinished(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      bench.fabric().stallAfter(1);
      bench.subject().postSend(bench.subject().read(20));

      bench.subject().qp().modify(DRAIN_AND_TELL);
      assertThat(drainedEvents(bench.subject())).isEmpty();
      bench.fabric().flow();
      bench.drain();

      assertThat(bench.subject().sends()).containsExactly("20 RDMA_READ " + TestSide.LONG);
      assertThat(drainedEvents(bench.subject())).containsExactly(EventType.SQ_DRAINED);
    }
  }

  @ParameterizedTest
  @MethodSource("segmenting")
  void anErrorWhileDrainingLeadsToErr(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      TestSide subject = bench.subject();
      MemoryRegion doomed = subject.register(TestSide.LONG);
      bench.peer().postReceive(40);
      bench.fabric().stallAfter(1);
      subject.postSend(subject.send(20, doomed.sge()));
      subject.postSend(subject.send(21));
      subject.qp().modify(DRAIN_AND_TELL);
      doomed.close();

      bench.fabric().flow();
      bench.drain();

      assertThat(subject.sends()).containsExactly("20 LOC_PROT_ERR", "21 WR_FLUSH_ERR");
      assertThat(subject.state()).isEqualTo(QpState.ERR);
      assertThat(drainedEvents(subject)).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("reliable")
  void aPeerThatIsSilentWhileDrainingLeadsToErr(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      bench.fates(datagram -> DatagramFate.DROP);
      bench.subject().postSend(bench.subject().send(20));
      bench.subject().qp().modify(DRAIN_AND_TELL);
      bench.subject().postSend(bench.subject().send(21));

      bench.drain();

      assertThat(bench.subject().sends()).containsExactly("20 RETRY_EXC_ERR", "21 WR_FLUSH_ERR");
      assertThat(bench.subject().state()).isEqualTo(QpState.ERR);
      assertThat(drainedEvents(bench.subject())).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("segmenting")
  void errCanBeEnteredWhileDraining(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      catchHalfWay(bench);
      bench.subject().qp().modify(DRAIN_AND_TELL);

      bench.subject().modifyTo(QpState.ERR);
      bench.fabric().flow();
      bench.drain();

      assertThat(bench.subject().sends()).containsExactly("20 WR_FLUSH_ERR", "21 WR_FLUSH_ERR");
      assertThat(drainedEvents(bench.subject())).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("segmenting")
  void resetCanBeEnteredWhileDraining(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      catchHalfWay(bench);
      bench.subject().qp().modify(DRAIN_AND_TELL);

      bench.subject().modifyTo(QpState.RESET);
      bench.fabric().flow();
      bench.drain();

      assertThat(bench.subject().state()).isEqualTo(QpState.RESET);
      assertThat(bench.subject().sends()).isEmpty();
      assertThat(bench.requests()).hasSize(1);
      assertThat(drainedEvents(bench.subject())).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("sending")
  void anErrorOfTheFirstSendAfterDrainingIsThatOfRts(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      bench.subject().modifyTo(QpState.SQD);
      bench.subject().postSend(bench.subject().badSend(20));
      assertThat(bench.subject().sends()).isEmpty();

      bench.subject().modifyTo(QpState.RTS);

      assertThat(bench.subject().sends()).containsExactly("20 LOC_PROT_ERR");
      assertThat(bench.subject().state()).isEqualTo(kind.isReliable() ? QpState.ERR : QpState.SQE);
    }
  }
}
