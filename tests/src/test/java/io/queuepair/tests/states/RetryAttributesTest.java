// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.states;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.conformance.FaultyFabric.DatagramFate;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * RETRY_CNT, RNR_RETRY and TIMEOUT set in SQD hold from the next transmission on, and the counters
 * start again (ibv_modify_qp(3): "Set retry_cnt", "Set rnr_retry").
 */
final class RetryAttributesTest {
  static Stream<QpKind> reliable() {
    return Stream.of(QpKind.values()).filter(kind -> kind.sends() && kind.isReliable());
  }

  static Stream<Arguments> changes() {
    return reliable()
        .flatMap(kind -> Stream.of(Arguments.of(kind, 6, 2), Arguments.of(kind, 2, 6)));
  }

  private static void change(TestSide side, QpAttr attr) {
    side.modifyTo(QpState.SQD);
    side.qp().modify(attr.qpState(QpState.SQD));
  }

  private static WorkCompletion completion(QpStateFixture bench) {
    bench.drain();
    List<WorkCompletion> completions = bench.subject().sendCompletions();
    assertThat(completions).hasSize(1);
    return completions.get(0);
  }

  @ParameterizedTest
  @MethodSource("changes")
  void retryCntIsThatSetLast(QpKind kind, int before, int after) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      bench.fates(datagram -> DatagramFate.DROP);
      change(bench.subject(), new QpAttr().retryCnt(before));
      bench.subject().modifyTo(QpState.RTS);
      change(bench.subject(), new QpAttr().retryCnt(after));
      bench.subject().modifyTo(QpState.RTS);

      bench.subject().postSend(bench.subject().send(1));

      WorkCompletion failed = completion(bench);
      assertThat(failed.status()).isEqualTo(WcStatus.RETRY_EXC_ERR);
      assertThat(failed.explain()).contains("also after " + after + " retries (RETRY_CNT)");
      assertThat(bench.requests()).hasSize(after + 1);
    }
  }

  @ParameterizedTest
  @MethodSource("changes")
  void rnrRetryIsThatSetLast(QpKind kind, int before, int after) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      change(bench.subject(), new QpAttr().rnrRetry(before));
      bench.subject().modifyTo(QpState.RTS);
      change(bench.subject(), new QpAttr().rnrRetry(after));
      bench.subject().modifyTo(QpState.RTS);

      bench.subject().postSend(bench.subject().send(1));

      WorkCompletion failed = completion(bench);
      assertThat(failed.status()).isEqualTo(WcStatus.RNR_RETRY_EXC_ERR);
      assertThat(failed.explain()).contains("also after " + after + " retries (RNR_RETRY)");
      assertThat(bench.requests()).hasSize(after + 1);
    }
  }

  @ParameterizedTest
  @MethodSource("reliable")
  void anAnswerIsOverdueByTheTimeoutSetLast(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      bench.fates(datagram -> DatagramFate.DROP);
      change(bench.subject(), new QpAttr().timeout(8).retryCnt(0));
      bench.subject().modifyTo(QpState.RTS);
      change(bench.subject(), new QpAttr().timeout(10));
      bench.subject().modifyTo(QpState.RTS);

      bench.subject().postSend(bench.subject().send(1));

      assertThat(completion(bench).explain()).contains("within the ACK timeout (TIMEOUT 10)");
      assertThat(bench.fabric().scheduler().nowNanos()).isEqualTo(4_096L << 10);
    }
  }
}
