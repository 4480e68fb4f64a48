// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.states;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.states.TestSide.Receives;
import io.queuepair.tests.states.TestSide.SideShape;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Flushing with 16384 requests in each queue: every one of them, once, in order, same words. */
final class ManyRequestsTest {
  private static final int MANY = 16_384;
  private static final SideShape LARGE = new SideShape(MANY, MANY, Receives.OWN);

  static Stream<QpKind> sending() {
    return Stream.of(QpKind.values()).filter(QpKind::sends);
  }

  private static QpStateFixture filled(QpKind kind, boolean firstFails) {
    QpStateFixture bench = QpStateFixture.connected(kind, LARGE);
    TestSide subject = bench.subject();
    bench.fabric().stallAfter(0);
    for (long wrId = 0; wrId < MANY; wrId++) {
      if (wrId == 0 && firstFails) {
        subject.postSend(subject.badSend(wrId));
      } else {
        subject.postSend(wrId % 2 == 0 ? subject.send(wrId) : subject.unsignaled(wrId));
      }
      if (kind.hasReceiveQueue()) {
        subject.postReceive(wrId);
      }
    }
    return bench;
  }

  private static Long[] wrIds(long from) {
    return LongStream.range(from, MANY).boxed().toArray(Long[]::new);
  }

  private static void assertFlushed(List<WorkCompletion> completions, long from, String cause) {
    assertThat(completions).extracting(WorkCompletion::wrId).containsExactly(wrIds(from));
    assertThat(completions).extracting(WorkCompletion::status).containsOnly(WcStatus.WR_FLUSH_ERR);
    assertThat(completions.stream().map(WorkCompletion::explain).distinct())
        .singleElement()
        .asString()
        .contains(cause);
  }

  @ParameterizedTest
  @MethodSource("sending")
  void bothQueuesAreFlushedCompletelyWhenTheApplicationSaysSo(QpKind kind) {
    try (QpStateFixture bench = filled(kind, false)) {
      bench.subject().modifyTo(QpState.ERR);

      String cause = "the application moved the queue pair to ERR";
      assertFlushed(bench.subject().sendCompletions(), 0, cause);
      if (kind.hasReceiveQueue()) {
        assertFlushed(bench.subject().receiveCompletions(), 0, cause);
      }
      assertThat(bench.subject().events()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("sending")
  void allSendsBehindAFailureNameIt(QpKind kind) {
    try (QpStateFixture bench = filled(kind, true)) {
      bench.fabric().flow();
      bench.drain();

      List<WorkCompletion> sends = bench.subject().sendCompletions();

      assertThat(sends.get(0).status()).isEqualTo(WcStatus.LOC_PROT_ERR);
      assertFlushed(sends.subList(1, sends.size()), 1, "wr_id 0 failed with LOC_PROT_ERR");
    }
  }

  @ParameterizedTest
  @MethodSource("sending")
  void resetDiscardsThemAllWithoutAWord(QpKind kind) {
    try (QpStateFixture bench = filled(kind, false)) {
      bench.subject().modifyTo(QpState.RESET);
      bench.fabric().flow();
      bench.drain();

      assertThat(bench.subject().sendCompletions()).isEmpty();
      assertThat(bench.subject().receiveCompletions()).isEmpty();
      assertThat(bench.requests()).isEmpty();
    }
  }
}
