package io.queuepair.tests.states;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.states.Side.Receives;
import io.queuepair.tests.states.Side.Shape;
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
  private static final Shape LARGE = new Shape(MANY, MANY, Receives.OWN);

  static Stream<Kind> sending() {
    return Stream.of(Kind.values()).filter(Kind::sends);
  }

  private static Bench filled(Kind kind, boolean firstFails) {
    Bench bench = Bench.connected(kind, LARGE);
    Side subject = bench.subject();
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
  void bothQueuesAreFlushedCompletelyWhenTheApplicationSaysSo(Kind kind) {
    try (Bench bench = filled(kind, false)) {
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
  void allSendsBehindAFailureNameIt(Kind kind) {
    try (Bench bench = filled(kind, true)) {
      bench.fabric().flow();
      bench.drain();

      List<WorkCompletion> sends = bench.subject().sendCompletions();

      assertThat(sends.get(0).status()).isEqualTo(WcStatus.LOC_PROT_ERR);
      assertFlushed(sends.subList(1, sends.size()), 1, "wr_id 0 failed with LOC_PROT_ERR");
    }
  }

  @ParameterizedTest
  @MethodSource("sending")
  void resetDiscardsThemAllWithoutAWord(Kind kind) {
    try (Bench bench = filled(kind, false)) {
      bench.subject().modifyTo(QpState.RESET);
      bench.fabric().flow();
      bench.drain();

      assertThat(bench.subject().sendCompletions()).isEmpty();
      assertThat(bench.subject().receiveCompletions()).isEmpty();
      assertThat(bench.requests()).isEmpty();
    }
  }
}
