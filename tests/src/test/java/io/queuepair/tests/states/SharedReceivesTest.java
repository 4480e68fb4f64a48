// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.states;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.states.TestSide.SideShape;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.QpState;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.MethodSource;

/** A queue pair that shares its receives leaves them alone when it fails. */
final class SharedReceivesTest {
  static Stream<QpKind> sharing() {
    return Stream.of(QpKind.RC, QpKind.UD, QpKind.XRC_RECV);
  }

  static Stream<QpKind> segmenting() {
    return sharing().filter(QpKind::segments);
  }

  private static List<EventType> lastWqeEvents(TestSide side) {
    List<EventType> events = new ArrayList<>(side.events());
    events.retainAll(List.of(EventType.QP_LAST_WQE_REACHED));
    return events;
  }

  @ParameterizedTest
  @MethodSource("sharing")
  void sharedReceivesAreNotFlushed(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind, SideShape.SHARED)) {
      bench.subject().postReceive(10);

      bench.subject().modifyTo(QpState.ERR);
      assertThat(bench.subject().receives()).isEmpty();
      bench.subject().modifyTo(QpState.RESET);
      bench.subject().connect();
      bench.peer().postSend(bench.peer().send(30));
      bench.drain();

      assertThat(bench.subject().receives()).containsExactly(kind.received(10, TestSide.SHORT));
    }
  }

  @ParameterizedTest
  @MethodSource("segmenting")
  void theReceiveOfAMessageInProgressIsFlushedAndNoOther(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind, SideShape.SHARED)) {
      bench.subject().postReceive(10);
      bench.subject().postReceive(11);
      bench.fabric().stallAfter(1);
      bench.peer().postSend(bench.peer().longSend(30));
      bench.drain();
      assertThat(bench.subject().isUntouched()).isFalse();

      bench.subject().modifyTo(QpState.ERR);

      assertThat(bench.subject().receives()).containsExactly("10 WR_FLUSH_ERR");
      assertThat(lastWqeEvents(bench.subject())).containsExactly(EventType.QP_LAST_WQE_REACHED);
    }
  }

  @ParameterizedTest
  @MethodSource("sharing")
  void theEndIsToldOnce(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind, SideShape.SHARED)) {
      bench.subject().modifyTo(QpState.ERR);
      bench.subject().modifyTo(QpState.ERR);
      bench.peer().postSend(bench.peer().send(30));
      bench.drain();

      assertThat(lastWqeEvents(bench.subject())).containsExactly(EventType.QP_LAST_WQE_REACHED);
    }
  }

  @ParameterizedTest
  @MethodSource("sharing")
  void theEndIsToldAgainInTheNextLife(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind, SideShape.SHARED)) {
      bench.subject().modifyTo(QpState.ERR);
      lastWqeEvents(bench.subject());

      bench.subject().modifyTo(QpState.RESET);
      assertThat(lastWqeEvents(bench.subject())).isEmpty();
      bench.subject().connect();
      bench.subject().modifyTo(QpState.ERR);

      assertThat(lastWqeEvents(bench.subject())).containsExactly(EventType.QP_LAST_WQE_REACHED);
    }
  }

  @ParameterizedTest
  @MethodSource("segmenting")
  void aMessageTooLongForItsReceiveEndsInTheSameEvent(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind, SideShape.SHARED)) {
      bench.subject().postReceive(10, bench.subject().region().sge(0, 4));
      bench.subject().postReceive(11);

      bench.peer().postSend(bench.peer().send(30));
      bench.drain();

      assertThat(bench.subject().receives()).containsExactly("10 LOC_LEN_ERR");
      assertThat(bench.peer().sends()).containsExactly("30 REM_INV_REQ_ERR");
      assertThat(lastWqeEvents(bench.subject())).containsExactly(EventType.QP_LAST_WQE_REACHED);
    }
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.EXCLUDE,
      names = {"XRC_RECV"})
  void nobodyIsToldOfTheEndWhoHasReceivesOfItsOwn(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      bench.subject().modifyTo(QpState.ERR);

      assertThat(lastWqeEvents(bench.subject())).isEmpty();
    }
  }
}
