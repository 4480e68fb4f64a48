// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.states;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.QpState;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.MethodSource;

/** RESET empties the queues, and the queue pair can be used again. */
final class ResetTest {
  static Stream<TypeAndState> cells() {
    return TypeAndState.of(Stream.of(QpKind.values()));
  }

  /** Each side sends the other a message, if its type sends. */
  private static void assertWorks(QpKind kind, QpStateFixture bench) {
    assertSends(bench, kind, bench.subject(), bench.peer(), kind.sends());
    assertSends(bench, kind, bench.peer(), bench.subject(), kind.receives());
  }

  private static void assertSends(
      QpStateFixture bench, QpKind kind, TestSide from, TestSide to, boolean does) {
    if (!does) {
      return;
    }
    to.postReceive(70);
    from.postSend(from.send(71));
    bench.drain();

    assertThat(from.sends()).containsExactly("71 SEND");
    assertThat(to.receives()).containsExactly(kind.received(70, TestSide.SHORT));
  }

  @ParameterizedTest
  @MethodSource("cells")
  void anyStateLeadsToResetAndFromThereToWork(TypeAndState cell) {
    try (QpStateFixture bench = QpStateFixture.with(cell)) {
      bench.subject().modifyTo(QpState.RESET);
      assertThat(bench.subject().state()).isEqualTo(QpState.RESET);

      bench.peer().modifyTo(QpState.RESET);
      bench.subject().connect();
      bench.peer().connect();

      assertWorks(cell.kind(), bench);
    }
  }

  @ParameterizedTest
  @EnumSource
  void bothQueuesAreEmptiedWithoutCompletions(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      TestSide subject = bench.subject();
      bench.fabric().stallAfter(0);
      fillQueues(kind, subject);

      subject.modifyTo(QpState.RESET);
      bench.fabric().flow();
      bench.drain();
      subject.modifyTo(QpState.ERR);

      assertThat(subject.sends()).isEmpty();
      assertThat(subject.receives()).isEmpty();
    }
  }

  private static void fillQueues(QpKind kind, TestSide side) {
    if (kind.hasReceiveQueue()) {
      side.postReceive(10);
      side.postReceive(11);
    }
    if (kind.sends()) {
      side.postSend(side.send(20));
      side.postSend(side.unsignaled(21));
      side.postSend(side.send(22));
    }
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.EXCLUDE,
      names = {"XRC_RECV"})
  void completionsOfAQueuePairVanishAndThoseOfOthersStayInOrder(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      TestSide subject = bench.subject();
      ControlQp control = new ControlQp(subject);
      control.talk();
      bench.drain();
      fillQueues(kind, subject);
      bench.peer().postReceive(40);
      bench.peer().postReceive(41);
      bench.peer().postReceive(42);
      if (kind.hasReceiveQueue()) {
        bench.peer().postSend(bench.peer().send(30));
      }
      bench.drain();
      control.talk();
      bench.drain();
      subject.modifyTo(QpState.ERR);
      control.talk();
      bench.drain();

      subject.modifyTo(QpState.RESET);

      assertThat(subject.sends()).isEmpty();
      assertThat(subject.receives()).isEmpty();
      subject.assertUndisturbed(control);
    }
  }

  /** The completion queue is that of the shared receive queue: others may receive from it too. */
  @ParameterizedTest
  @EnumSource(
      mode = Mode.INCLUDE,
      names = {"XRC_RECV"})
  void completionsOfASharedReceiveQueueStay(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      bench.subject().postReceive(10);
      bench.peer().postSend(bench.peer().send(30));
      bench.drain();

      bench.subject().modifyTo(QpState.RESET);

      assertThat(bench.subject().receives()).isEqualTo(List.of("10 RECV 8"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void packetsUnderWayAreForgotten(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      bench.subject().modifyTo(QpState.RESET);
      if (kind.receives()) {
        bench.peer().postSend(bench.peer().send(30));
      } else {
        bench.peer().modifyTo(QpState.RESET);
      }
      bench.drain();

      assertThat(bench.subject().isUntouched()).isTrue();
      assertThat(bench.responses()).isEmpty();
      assertThat(bench.requests()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aMessageThatHadBegunToArriveIsForgotten(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      TestSide from = kind.receives() ? bench.peer() : bench.subject();
      TestSide to = kind.receives() ? bench.subject() : bench.peer();
      to.postReceive(10);
      bench.fabric().stallAfter(1);
      from.postSend(kind.segments() ? from.longSend(30) : from.send(30));
      bench.drain();
      to.receives();

      to.modifyTo(QpState.RESET);
      from.modifyTo(QpState.RESET);
      bench.fabric().flow();
      bench.drain();
      bench.subject().connect();
      bench.peer().connect();

      assertThat(to.receives()).isEmpty();
      assertWorks(kind, bench);
    }
  }
}
