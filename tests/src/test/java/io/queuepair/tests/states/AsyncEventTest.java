// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.states;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.tests.states.TestSide.Receives;
import io.queuepair.tests.states.TestSide.SideShape;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.SrqAttrMask;
import io.queuepair.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** News that belongs to no work request: what it is about, and how it is acknowledged. */
final class AsyncEventTest {
  static Stream<QpKind> connectedReceivers() {
    return Stream.of(QpKind.RC, QpKind.UC, QpKind.XRC_RECV);
  }

  static Stream<QpKind> responders() {
    return Stream.of(QpKind.RC, QpKind.XRC_RECV);
  }

  static Stream<QpKind> sending() {
    return Stream.of(QpKind.values()).filter(QpKind::sends);
  }

  private static void deliver(QpStateFixture bench, long wrId) {
    bench.subject().postReceive(wrId);
    bench.peer().postSend(bench.peer().send(wrId));
    bench.drain();
  }

  /** The one event that there is, taken and not acknowledged. */
  private static AsyncEvent take(TestSide side) {
    return side.context().getAsyncEvent(Duration.ZERO).orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("connectedReceivers")
  void theFirstRequestInRtrEstablishesTheCommunication(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.with(new TypeAndState(kind, QpState.RTR))) {
      deliver(bench, 10);
      deliver(bench, 11);
      bench.subject().modifyTo(QpState.RTS);
      deliver(bench, 12);

      List<AsyncEvent> events = bench.subject().asyncEvents();
      assertThat(events).containsExactly(AsyncEvent.of(EventType.COMM_EST, bench.subject().qp()));
    }
  }

  @ParameterizedTest
  @MethodSource("connectedReceivers")
  void noRequestInRtsEstablishesTheCommunication(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      deliver(bench, 10);
      deliver(bench, 11);

      assertThat(bench.subject().events()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("connectedReceivers")
  void theNextLifeIsEstablishedAnew(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.with(new TypeAndState(kind, QpState.RTR))) {
      deliver(bench, 10);
      bench.subject().events();
      bench.subject().modifyTo(QpState.RESET);
      bench.peer().modifyTo(QpState.RESET);
      bench.bring(QpState.RTR);
      bench.peer().connect();
      assertThat(bench.subject().events()).isEmpty();

      deliver(bench, 11);

      assertThat(bench.subject().events()).containsExactly(EventType.COMM_EST);
    }
  }

  @ParameterizedTest
  @MethodSource("responders")
  void aRequestThatIsRefusedEstablishesNothing(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.with(new TypeAndState(kind, QpState.RTR))) {
      bench.peer().postSend(bench.peer().writeWith(30, 0xbad));
      bench.drain();

      assertThat(bench.peer().sends()).containsExactly("30 REM_ACCESS_ERR");
      assertThat(bench.subject().events()).doesNotContain(EventType.COMM_EST);
    }
  }

  @ParameterizedTest
  @MethodSource("responders")
  void anAccessViolationIsAnEventOfTheQueuePair(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      bench.peer().postSend(bench.peer().writeWith(30, 0xbad));
      bench.drain();

      assertThat(bench.subject().asyncEvents())
          .contains(AsyncEvent.of(EventType.QP_ACCESS_ERR, bench.subject().qp()));
      assertThat(bench.subject().state()).isEqualTo(QpState.ERR);
    }
  }

  @ParameterizedTest
  @MethodSource("responders")
  void anInvalidRequestIsAnEventOfTheQueuePair(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      bench.peer().postSend(bench.peer().atomic(30));
      bench.drain();

      assertThat(bench.peer().sends()).containsExactly("30 REM_INV_REQ_ERR");
      assertThat(bench.subject().asyncEvents())
          .contains(AsyncEvent.of(EventType.QP_REQ_ERR, bench.subject().qp()));
      assertThat(bench.subject().state()).isEqualTo(QpState.ERR);
    }
  }

  @ParameterizedTest
  @MethodSource("sending")
  void anOverrunIsAnEventOfTheCompletionQueueAndOfTheQueuePair(QpKind kind) {
    try (QpStateFixture bench =
        QpStateFixture.connected(kind, new SideShape(64, 2, Receives.OWN))) {
      for (int wrId = 40; wrId < 42; wrId++) {
        bench.peer().postReceive(wrId);
        bench.subject().postSend(bench.subject().send(wrId));
        bench.drain();
      }
      assertThat(bench.subject().events()).isEmpty();
      bench.peer().receives();

      bench.peer().postReceive(42);
      bench.subject().postSend(bench.subject().send(42));
      bench.drain();

      List<AsyncEvent> events = bench.subject().asyncEvents();
      assertThat(events)
          .containsExactlyInAnyOrder(
              AsyncEvent.of(EventType.CQ_ERR, bench.subject().sendCq()),
              AsyncEvent.of(EventType.QP_FATAL, bench.subject().qp()));
      assertThat(bench.subject().state()).isEqualTo(QpState.ERR);
    }
  }

  @ParameterizedTest
  @MethodSource("connectedReceivers")
  void anOverrunOfReceivesFailsTheQueuePairWhoseMessageItWas(QpKind kind) {
    try (QpStateFixture bench =
        QpStateFixture.connected(kind, new SideShape(64, 1, Receives.OWN))) {
      deliver(bench, 10);
      bench.subject().events();

      deliver(bench, 11);

      assertThat(bench.subject().asyncEvents())
          .contains(
              AsyncEvent.of(EventType.CQ_ERR, bench.subject().recvCq()),
              AsyncEvent.of(EventType.QP_FATAL, bench.subject().qp()))
          .doesNotHaveDuplicates();
      assertThat(bench.subject().state()).isEqualTo(QpState.ERR);
    }
  }

  private static void assertBusyUntilAcknowledged(
      TestSide side, AutoCloseable object, AsyncEvent event) throws Exception {
    VerbsException refusal = catchThrowableOfType(VerbsException.class, object::close);
    assertThat(refusal).isNotNull();
    assertThat(refusal.errno()).isEqualTo(Errno.EBUSY);

    side.context().ackAsyncEvent(event);

    object.close();
  }

  @ParameterizedTest
  @MethodSource("connectedReceivers")
  void aQueuePairIsBusyUntilItsEventIsAcknowledged(QpKind kind) throws Exception {
    try (QpStateFixture bench = QpStateFixture.with(new TypeAndState(kind, QpState.RTR))) {
      deliver(bench, 10);
      AsyncEvent event = take(bench.subject());
      assertThat(event.eventType()).isEqualTo(EventType.COMM_EST);

      assertBusyUntilAcknowledged(bench.subject(), bench.subject().qp(), event);
    }
  }

  @ParameterizedTest
  @MethodSource("sending")
  void aCompletionQueueIsBusyUntilItsEventIsAcknowledged(QpKind kind) throws Exception {
    try (QpStateFixture bench =
        QpStateFixture.connected(kind, new SideShape(64, 1, Receives.OWN))) {
      TestSide subject = bench.subject();
      bench.fabric().stallAfter(0);
      subject.postSend(subject.send(20));
      subject.postSend(subject.send(21));
      subject.modifyTo(QpState.ERR);
      List<AsyncEvent> events = new ArrayList<>(List.of(take(subject)));
      subject.context().getAsyncEvent(Duration.ZERO).ifPresent(events::add);
      AsyncEvent overrun = AsyncEvent.of(EventType.CQ_ERR, subject.sendCq());
      assertThat(events.remove(overrun)).isTrue();
      events.forEach(subject.context()::ackAsyncEvent);
      subject.qp().close();

      assertBusyUntilAcknowledged(subject, subject.sendCq(), overrun);
    }
  }

  @ParameterizedTest
  @MethodSource("responders")
  void aSharedReceiveQueueIsBusyUntilItsEventIsAcknowledged(QpKind kind) throws Exception {
    try (QpStateFixture bench = QpStateFixture.connected(kind, SideShape.SHARED)) {
      TestSide subject = bench.subject();
      subject.postReceive(9);
      subject.srq().modify(new SrqAttr(0, 0, 2), EnumSet.of(SrqAttrMask.LIMIT));
      deliver(bench, 10);
      AsyncEvent low = take(subject);
      assertThat(low).isEqualTo(AsyncEvent.of(EventType.SRQ_LIMIT_REACHED, subject.srq()));
      subject.qp().close();

      assertBusyUntilAcknowledged(subject, subject.srq(), low);
    }
  }

  @ParameterizedTest
  @MethodSource("connectedReceivers")
  void eventsOfADestroyedQueuePairVanish(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.with(new TypeAndState(kind, QpState.RTR))) {
      deliver(bench, 10);

      bench.subject().qp().close();

      assertThat(bench.subject().events()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("sending")
  void eventsOfADestroyedCompletionQueueVanish(QpKind kind) {
    try (QpStateFixture bench =
        QpStateFixture.connected(kind, new SideShape(64, 1, Receives.OWN))) {
      TestSide subject = bench.subject();
      bench.fabric().stallAfter(0);
      subject.postSend(subject.send(20));
      subject.postSend(subject.send(21));
      subject.modifyTo(QpState.ERR);

      subject.qp().close();
      subject.sendCq().close();

      assertThat(subject.events()).isEmpty();
    }
  }
}
