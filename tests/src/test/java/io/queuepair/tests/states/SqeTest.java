// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.states;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.WorkCompletion;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The send queue alone fails: a type without acknowledgements keeps receiving in SQE. */
final class SqeTest {
  static Stream<QpKind> unreliable() {
    return Stream.of(QpKind.values()).filter(kind -> !kind.isReliable());
  }

  static Stream<QpKind> segmenting() {
    return unreliable().filter(QpKind::segments);
  }

  /** A good send, one that fails, and two after it, processed together. */
  private static void failSecond(QpStateFixture bench) {
    TestSide subject = bench.subject();
    bench.fabric().stallAfter(0);
    subject.postSend(subject.send(20));
    subject.postSend(subject.badSend(21));
    subject.postSend(subject.send(22));
    subject.postSend(subject.unsignaled(23));
    bench.fabric().flow();
    bench.drain();
  }

  @ParameterizedTest
  @MethodSource("unreliable")
  void theFailingSendHasItsStatusAndThoseBehindItAreFlushed(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      failSecond(bench);

      assertThat(bench.subject().state()).isEqualTo(QpState.SQE);
      assertThat(bench.subject().sends())
          .containsExactly("20 SEND", "21 LOC_PROT_ERR", "22 WR_FLUSH_ERR", "23 WR_FLUSH_ERR");
    }
  }

  @ParameterizedTest
  @MethodSource("unreliable")
  void anUnsignaledSendThatFailsReportsToo(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      TestSide subject = bench.subject();
      MemoryRegion gone = subject.register(TestSide.SHORT);
      gone.close();
      bench.fabric().stallAfter(0);
      subject.postSend(subject.unsignaled(20, gone.sge()));
      subject.postSend(subject.unsignaled(21));
      bench.fabric().flow();

      assertThat(subject.sends()).containsExactly("20 LOC_PROT_ERR", "21 WR_FLUSH_ERR");
      assertThat(subject.state()).isEqualTo(QpState.SQE);
    }
  }

  @ParameterizedTest
  @MethodSource("unreliable")
  void sendsPostedInSqeAreFlushed(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.with(new TypeAndState(kind, QpState.SQE))) {
      bench.subject().postSend(bench.subject().send(20));
      bench.subject().postSend(bench.subject().unsignaled(21));
      bench.drain();

      assertThat(bench.subject().sends()).containsExactly("20 WR_FLUSH_ERR", "21 WR_FLUSH_ERR");
      assertThat(bench.requests()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("unreliable")
  void receivingGoesOn(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      bench.subject().postReceive(10);
      failSecond(bench);
      bench.subject().postReceive(11);

      bench.peer().postSend(bench.peer().send(30));
      bench.peer().postSend(bench.peer().send(31));
      bench.drain();

      assertThat(bench.subject().receives())
          .containsExactly(kind.received(10, TestSide.SHORT), kind.received(11, TestSide.SHORT));
      assertThat(bench.subject().state()).isEqualTo(QpState.SQE);
    }
  }

  @ParameterizedTest
  @MethodSource("unreliable")
  void rtsMakesSendsWorkAgain(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      for (int wrId = 40; wrId < 44; wrId++) {
        bench.peer().postReceive(wrId);
      }
      failSecond(bench);
      bench.subject().sends();

      bench.subject().modifyTo(QpState.RTS);
      bench.drain();
      assertThat(bench.subject().sends()).isEmpty();
      bench.subject().postSend(bench.subject().send(24));
      bench.drain();

      assertThat(bench.subject().state()).isEqualTo(QpState.RTS);
      assertThat(bench.subject().sends()).containsExactly("24 SEND");
      assertThat(bench.peer().receives())
          .containsExactly(kind.received(40, TestSide.SHORT), kind.received(41, TestSide.SHORT));
    }
  }

  @ParameterizedTest
  @MethodSource("unreliable")
  void psnsContinueWhereTheLastPacketWas(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      failSecond(bench);
      bench.subject().modifyTo(QpState.RTS);
      assertThat(bench.subject().qp().query().sqPsn()).isEqualTo(TestSide.PSN + 1);

      bench.subject().postSend(bench.subject().send(24));
      bench.drain();

      assertThat(bench.requests())
          .extracting(datagram -> datagram.psn())
          .containsExactly(TestSide.PSN, TestSide.PSN + 1);
    }
  }

  @ParameterizedTest
  @MethodSource("segmenting")
  void aPeerWithHalfAMessageAcceptsTheNextOne(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      TestSide subject = bench.subject();
      MemoryRegion doomed = subject.register(TestSide.LONG);
      bench.peer().postReceive(40);
      bench.fabric().stallAfter(1);
      subject.postSend(subject.send(20, doomed.sge()));
      doomed.close();
      bench.fabric().flow();
      bench.drain();
      assertThat(subject.sends()).containsExactly("20 LOC_PROT_ERR");
      assertThat(subject.state()).isEqualTo(QpState.SQE);
      assertThat(bench.peer().receives()).isEmpty();

      subject.modifyTo(QpState.RTS);
      subject.postSend(subject.longSend(21));
      bench.drain();

      assertThat(subject.sends()).containsExactly("21 SEND");
      assertThat(bench.peer().receives()).containsExactly(kind.received(40, TestSide.LONG));
      assertThat(bench.requests())
          .extracting(datagram -> datagram.psn())
          .containsExactly(TestSide.PSN, TestSide.PSN + 1, TestSide.PSN + 2, TestSide.PSN + 3);
    }
  }

  @ParameterizedTest
  @MethodSource("unreliable")
  void anotherFailureAfterRecoveryIsReportedAsTheFirstWas(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      failSecond(bench);
      bench.subject().sends();
      bench.subject().modifyTo(QpState.RTS);
      bench.fabric().stallAfter(0);
      bench.subject().postSend(bench.subject().badSend(50));
      bench.subject().postSend(bench.subject().send(51));
      bench.fabric().flow();

      List<WorkCompletion> sends = bench.subject().sendCompletions();

      assertThat(bench.subject().state()).isEqualTo(QpState.SQE);
      assertThat(sends).extracting(WorkCompletion::wrId).containsExactly(50L, 51L);
      assertThat(sends.get(1).explain()).contains("wr_id 50").doesNotContain("wr_id 21");
    }
  }

  @ParameterizedTest
  @MethodSource("unreliable")
  void errFlushesTheReceivesThatSqeHadSpared(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      bench.subject().postReceive(10);
      failSecond(bench);
      bench.subject().sends();
      assertThat(bench.subject().receives()).isEmpty();

      bench.subject().modifyTo(QpState.ERR);

      assertThat(bench.subject().receives()).containsExactly("10 WR_FLUSH_ERR");
      assertThat(bench.subject().sends()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("unreliable")
  void aReceiveThatFailsInSqeLeadsToErr(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.with(new TypeAndState(kind, QpState.SQE))) {
      TestSide subject = bench.subject();
      MemoryRegion gone = subject.register(TestSide.LONG);
      subject.postReceive(10, gone.sge());
      subject.postReceive(11);
      gone.close();

      bench.peer().postSend(bench.peer().send(30));
      bench.drain();

      assertThat(subject.receives()).containsExactly("10 LOC_PROT_ERR", "11 WR_FLUSH_ERR");
      assertThat(subject.state()).isEqualTo(QpState.ERR);
    }
  }
}
