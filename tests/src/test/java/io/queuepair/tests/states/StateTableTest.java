// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.states;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.VerbsException;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What each state means for each type (InfiniBand specification, queue pair states), a row of the
 * table in each test. Another queue pair on the same completion queues is watched all the time.
 */
final class StateTableTest {
  /** States in which requests of the peer are processed. */
  private static final QpState[] RECEIVING = {QpState.RTR, QpState.RTS, QpState.SQD, QpState.SQE};

  static Stream<TypeAndState> cells() {
    return TypeAndState.of(Stream.of(QpKind.values()));
  }

  static Stream<TypeAndState> sendingCells() {
    return TypeAndState.of(Stream.of(QpKind.values()).filter(QpKind::sends));
  }

  static Stream<TypeAndState> cellsWithReceiveQueue() {
    return TypeAndState.of(Stream.of(QpKind.values()).filter(QpKind::hasReceiveQueue));
  }

  static Stream<TypeAndState> receivingCells() {
    return TypeAndState.of(Stream.of(QpKind.values()).filter(QpKind::receives));
  }

  static Stream<TypeAndState> cellsWithoutReceiveQueue() {
    return TypeAndState.of(Stream.of(QpKind.values()).filter(kind -> !kind.hasReceiveQueue()));
  }

  static Stream<TypeAndState> cellsWithoutSendQueue() {
    return TypeAndState.of(Stream.of(QpKind.values()).filter(kind -> !kind.sends()));
  }

  /** Datagrams have no writes. */
  static Stream<TypeAndState> writtenCells() {
    return receivingCells().filter(cell -> cell.kind() != QpKind.UD);
  }

  /** A datagram is one packet: nothing is ever half sent. */
  static Stream<QpKind> segmenting() {
    return Stream.of(QpKind.values()).filter(kind -> kind.sends() && kind.segments());
  }

  static List<TypeAndState.UntestedCell> unreachable() {
    return TypeAndState.UNREACHABLE;
  }

  private static void assertRefused(ThrowingCallable post) {
    BadWorkRequestException refusal = catchThrowableOfType(BadWorkRequestException.class, post);

    assertThat(refusal).isNotNull();
    assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
    assertThat(refusal.index()).isZero();
  }

  /** Nothing is on the queues afterwards but what is given; both are flushed to see that. */
  private static void assertQueued(TestSide side, List<String> sends, List<String> receives) {
    side.modifyTo(QpState.ERR);
    assertThat(side.sends()).isEqualTo(sends);
    assertThat(side.receives()).isEqualTo(receives);
  }

  @ParameterizedTest
  @MethodSource("cellsWithReceiveQueue")
  void receivesArePostedInEveryStateButReset(TypeAndState cell) {
    try (QpStateFixture bench = QpStateFixture.with(cell)) {
      TestSide subject = bench.subject();
      ControlQp control = new ControlQp(subject);
      control.talk();

      if (cell.state() == QpState.RESET) {
        assertRefused(() -> subject.postReceive(10));
        assertQueued(subject, List.of(), List.of());
      } else {
        subject.postReceive(10);
        assertQueued(subject, List.of(), List.of("10 WR_FLUSH_ERR"));
      }

      control.talk();
      bench.drain();
      subject.assertUndisturbed(control);
    }
  }

  @ParameterizedTest
  @MethodSource("cellsWithoutReceiveQueue")
  void receivesAreNeverPostedWithoutAReceiveQueue(TypeAndState cell) {
    try (QpStateFixture bench = QpStateFixture.with(cell)) {
      TestSide subject = bench.subject();

      assertRefused(() -> subject.qp().postRecv(RecvWr.of(10)));

      assertQueued(subject, List.of(), List.of());
    }
  }

  @ParameterizedTest
  @MethodSource("sendingCells")
  void sendsArePostedFromRtsOn(TypeAndState cell) {
    try (QpStateFixture bench = QpStateFixture.with(cell)) {
      TestSide subject = bench.subject();
      ControlQp control = new ControlQp(subject);
      control.talk();
      bench.fabric().stallAfter(0);

      if (cell.isIn(QpState.RESET, QpState.INIT, QpState.RTR)) {
        assertRefused(() -> subject.postSend(subject.send(20)));
        assertQueued(subject, List.of(), List.of());
      } else {
        subject.postSend(subject.send(20));
        assertQueued(subject, List.of("20 WR_FLUSH_ERR"), List.of());
      }

      bench.fabric().flow();
      control.talk();
      bench.drain();
      subject.assertUndisturbed(control);
    }
  }

  @ParameterizedTest
  @MethodSource("cellsWithoutSendQueue")
  void sendsAreNeverPostedWithoutASendQueue(TypeAndState cell) {
    try (QpStateFixture bench = QpStateFixture.with(cell)) {
      TestSide subject = bench.subject();

      assertRefused(() -> subject.postSend(SendWr.send(20)));

      assertQueued(subject, List.of(), List.of());
    }
  }

  /** A receive in the subject's queue, and a message of the peer on its way to it. */
  private static void offerMessage(TypeAndState cell, QpStateFixture bench) {
    if (cell.state() != QpState.RESET || !cell.kind().hasReceiveQueue()) {
      bench.subject().postReceive(10);
    }
    bench.peer().postSend(bench.peer().send(30));
    bench.drain();
  }

  @ParameterizedTest
  @MethodSource("receivingCells")
  void messagesAreTakenFromRtrToSqeAndDroppedSilentlyElsewhere(TypeAndState cell) {
    try (QpStateFixture bench = QpStateFixture.with(cell)) {
      TestSide subject = bench.subject();
      ControlQp control = new ControlQp(subject);
      control.talk();

      offerMessage(cell, bench);

      boolean isTaken = cell.isIn(RECEIVING);
      boolean isFlushed = cell.state() == QpState.ERR && cell.kind().hasReceiveQueue();
      String whenTaken = cell.kind().received(10, TestSide.SHORT);
      List<String> otherwise = isFlushed ? List.of("10 WR_FLUSH_ERR") : List.of();
      assertThat(subject.receives()).isEqualTo(isTaken ? List.of(whenTaken) : otherwise);
      assertThat(subject.isUntouched()).isEqualTo(!isTaken);
      assertThat(subject.state()).isEqualTo(cell.state());
      assertThat(bench.droppedForState() == 0).isEqualTo(isTaken);
      assertThat(bench.responses()).hasSize(isTaken && cell.kind().isReliable() ? 1 : 0);
      String whenDropped = cell.kind().isReliable() ? "30 RETRY_EXC_ERR" : "30 SEND";
      assertThat(bench.peer().sends()).containsExactly(isTaken ? "30 SEND" : whenDropped);
      control.talk();
      bench.drain();
      subject.assertUndisturbed(control);
    }
  }

  @ParameterizedTest
  @MethodSource("writtenCells")
  void writesOfThePeerLandFromRtrToSqeOnly(TypeAndState cell) {
    try (QpStateFixture bench = QpStateFixture.with(cell)) {
      bench.peer().postSend(bench.peer().write(30));
      bench.drain();

      assertThat(bench.subject().isUntouched()).isEqualTo(!cell.isIn(RECEIVING));
      assertThat(bench.subject().receives()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("sendingCells")
  void sendsAreProcessedInRtsAndFlushedInSqeAndErr(TypeAndState cell) {
    try (QpStateFixture bench = QpStateFixture.with(cell)) {
      TestSide subject = bench.subject();
      ControlQp control = new ControlQp(subject);
      control.talk();
      bench.peer().postReceive(40);
      int before = bench.requests().size();

      if (!cell.isIn(QpState.RESET, QpState.INIT, QpState.RTR)) {
        subject.postSend(subject.send(20));
      }
      bench.drain();

      switch (cell.state()) {
        case RTS -> assertThat(subject.sends()).containsExactly("20 SEND");
        case SQE, ERR -> assertThat(subject.sends()).containsExactly("20 WR_FLUSH_ERR");
        case RESET, INIT, RTR, SQD, UNKNOWN -> assertThat(subject.sends()).isEmpty();
      }
      boolean isSent = cell.state() == QpState.RTS;
      assertThat(bench.requests()).hasSize(before + (isSent ? 1 : 0));
      assertThat(bench.peer().receives()).hasSize(isSent ? 1 : 0);
      control.talk();
      bench.drain();
      subject.assertUndisturbed(control);
    }
  }

  @ParameterizedTest
  @MethodSource("segmenting")
  void sendsThatHaveStartedFinishInSqdAndNoOthersDo(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      TestSide subject = bench.subject();
      ControlQp control = new ControlQp(subject);
      control.talk();
      bench.drain();
      bench.peer().postReceive(40);
      bench.peer().postReceive(41);
      bench.fabric().stallAfter(1);
      subject.postSend(subject.longSend(20));
      subject.postSend(subject.send(21));

      subject.modifyTo(QpState.SQD);
      bench.fabric().flow();
      bench.drain();

      assertThat(subject.sends()).containsExactly("20 SEND");
      assertThat(bench.peer().receives()).containsExactly("40 RECV " + TestSide.LONG);
      assertThat(bench.requests()).hasSize(3);
      control.talk();
      bench.drain();
      subject.assertUndisturbed(control);
    }
  }

  @ParameterizedTest
  @MethodSource("unreachable")
  void noFailureLeadsToACellThatIsListedAsUnreachable(TypeAndState.UntestedCell cell) {
    try (QpStateFixture bench = QpStateFixture.connected(cell.kind())) {
      TestSide subject = bench.subject();

      if (cell.kind().sends()) {
        subject.postSend(subject.badSend(1));
        bench.drain();

        assertThat(subject.sends()).containsExactly("1 LOC_PROT_ERR");
        assertThat(subject.state()).isEqualTo(QpState.ERR);
      } else {
        assertRefused(() -> subject.postSend(subject.badSend(1)));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cells")
  void noVerbLeadsToSqe(TypeAndState cell) {
    try (QpStateFixture bench = QpStateFixture.with(cell)) {
      VerbsException refusal =
          catchThrowableOfType(VerbsException.class, () -> bench.subject().modifyTo(QpState.SQE));

      assertThat(refusal).isNotNull();
      assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
      assertThat(bench.subject().state()).isEqualTo(cell.state());
    }
  }
}
