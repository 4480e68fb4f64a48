package io.queuepair.tests.states;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.QpState;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.MethodSource;

/** Beginning anew: RESET empties the queues, and the queue pair can be used again. */
final class ResetTest {
  static Stream<Cell> cells() {
    return Cell.of(Stream.of(Kind.values()));
  }

  /** Each side sends the other a message, if its type sends. */
  private static void assertWorks(Kind kind, Bench bench) {
    assertSends(bench, kind, bench.subject(), bench.peer(), kind.sends());
    assertSends(bench, kind, bench.peer(), bench.subject(), kind.receives());
  }

  private static void assertSends(Bench bench, Kind kind, Side from, Side to, boolean does) {
    if (!does) {
      return;
    }
    to.postReceive(70);
    from.postSend(from.send(71));
    bench.drain();

    assertThat(from.sends()).containsExactly("71 SEND");
    assertThat(to.receives()).containsExactly(kind.received(70, Side.SHORT));
  }

  @ParameterizedTest
  @MethodSource("cells")
  void anyStateLeadsToResetAndFromThereToWork(Cell cell) {
    try (Bench bench = Bench.with(cell)) {
      bench.subject().modifyTo(QpState.RESET);
      assertThat(bench.subject().state()).isEqualTo(QpState.RESET);

      bench.peer().modifyTo(QpState.RESET);
      bench.subject().connect();
      bench.peer().connect();

      assertWorks(cell.kind(), bench);
    }
  }

  @ParameterizedTest
  @MethodSource("cells")
  void anyStateLeadsToErrAndFromThereThroughResetToWork(Cell cell) {
    try (Bench bench = Bench.with(cell)) {
      bench.subject().modifyTo(QpState.ERR);
      assertThat(bench.subject().state()).isEqualTo(QpState.ERR);

      bench.peer().modifyTo(QpState.RESET);
      bench.subject().modifyTo(QpState.RESET);
      bench.subject().connect();
      bench.peer().connect();

      assertWorks(cell.kind(), bench);
    }
  }

  @ParameterizedTest
  @MethodSource("cells")
  void packetsOfAPeerDoNotDisturbAnErrThatWasEnteredFromAnyState(Cell cell) {
    try (Bench bench = Bench.with(cell)) {
      bench.subject().modifyTo(QpState.ERR);
      long before = bench.droppedForState();

      if (cell.kind().receives()) {
        bench.peer().postSend(bench.peer().send(30));
      }
      bench.drain();

      assertThat(bench.subject().state()).isEqualTo(QpState.ERR);
      assertThat(bench.droppedForState() > before).isEqualTo(cell.kind().receives());
      assertThat(bench.responses()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void bothQueuesAreEmptiedWithoutCompletions(Kind kind) {
    try (Bench bench = Bench.connected(kind)) {
      Side subject = bench.subject();
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

  private static void fillQueues(Kind kind, Side side) {
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
  void completionsOfAQueuePairVanishAndThoseOfOthersStayInOrder(Kind kind) {
    try (Bench bench = Bench.connected(kind)) {
      Side subject = bench.subject();
      Bystander bystander = new Bystander(subject);
      bystander.talk();
      bench.drain();
      fillQueues(kind, subject);
      bench.peer().postReceive(40);
      bench.peer().postReceive(41);
      bench.peer().postReceive(42);
      if (kind.hasReceiveQueue()) {
        bench.peer().postSend(bench.peer().send(30));
      }
      bench.drain();
      bystander.talk();
      bench.drain();
      subject.modifyTo(QpState.ERR);
      bystander.talk();
      bench.drain();

      subject.modifyTo(QpState.RESET);

      assertThat(subject.sends()).isEmpty();
      assertThat(subject.receives()).isEmpty();
      subject.assertUndisturbed(bystander);
    }
  }

  /** The completion queue is that of the shared receive queue: others may receive from it too. */
  @ParameterizedTest
  @EnumSource(
      mode = Mode.INCLUDE,
      names = {"XRC_RECV"})
  void completionsOfASharedReceiveQueueStay(Kind kind) {
    try (Bench bench = Bench.connected(kind)) {
      bench.subject().postReceive(10);
      bench.peer().postSend(bench.peer().send(30));
      bench.drain();

      bench.subject().modifyTo(QpState.RESET);

      assertThat(bench.subject().receives()).isEqualTo(List.of("10 RECV 8"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void packetsUnderWayAreForgotten(Kind kind) {
    try (Bench bench = Bench.connected(kind)) {
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
  void aMessageThatHadBegunToArriveIsForgotten(Kind kind) {
    try (Bench bench = Bench.connected(kind)) {
      Side from = kind.receives() ? bench.peer() : bench.subject();
      Side to = kind.receives() ? bench.subject() : bench.peer();
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
