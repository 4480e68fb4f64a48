// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.states;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.VerbsException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How an application sees that the send queue drains, and what it may not do meanwhile. */
final class SqdQueryTest {
  static Stream<QpKind> segmenting() {
    return Stream.of(QpKind.values()).filter(kind -> kind.sends() && kind.segments());
  }

  /** In SQD, with a send of three packets of which one has left. */
  private static QpStateFixture draining(QpKind kind) {
    QpStateFixture bench = QpStateFixture.connected(kind);
    bench.peer().postReceive(40);
    bench.fabric().stallAfter(1);
    bench.subject().postSend(bench.subject().longSend(20));
    bench.subject().modifyTo(QpState.SQD);
    return bench;
  }

  private static void assertRefusedWhileDraining(QpStateFixture bench, QpState next) {
    VerbsException refusal =
        catchThrowableOfType(VerbsException.class, () -> bench.subject().modifyTo(next));

    assertThat(refusal).isNotNull();
    assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
    assertThat(bench.subject().state()).isEqualTo(QpState.SQD);
    assertThat(bench.subject().qp().query().sqDraining()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("segmenting")
  void drainingShowsUntilTheLastStartedSendIsDone(QpKind kind) {
    try (QpStateFixture bench = draining(kind)) {
      assertThat(bench.subject().qp().query().sqDraining()).isTrue();

      bench.fabric().flow();
      bench.drain();

      assertThat(bench.subject().qp().query().sqDraining()).isFalse();
      assertThat(bench.subject().state()).isEqualTo(QpState.SQD);
    }
  }

  @ParameterizedTest
  @MethodSource("segmenting")
  void rtsHasToWaitUntilTheQueueIsDrained(QpKind kind) {
    try (QpStateFixture bench = draining(kind)) {
      assertRefusedWhileDraining(bench, QpState.RTS);

      bench.fabric().flow();
      bench.drain();
      bench.subject().modifyTo(QpState.RTS);

      assertThat(bench.subject().state()).isEqualTo(QpState.RTS);
      assertThat(bench.subject().sends()).containsExactly("20 SEND");
    }
  }

  @ParameterizedTest
  @MethodSource("segmenting")
  void sqdHasToWaitUntilTheQueueIsDrained(QpKind kind) {
    try (QpStateFixture bench = draining(kind)) {
      assertRefusedWhileDraining(bench, QpState.SQD);

      bench.fabric().flow();
      bench.drain();
      bench.subject().modifyTo(QpState.SQD);

      assertThat(bench.subject().sends()).containsExactly("20 SEND");
    }
  }

  @ParameterizedTest
  @MethodSource("segmenting")
  void nothingDrainsAnyLongerInErrAndReset(QpKind kind) {
    try (QpStateFixture bench = draining(kind)) {
      bench.subject().modifyTo(QpState.ERR);
      assertThat(bench.subject().qp().query().sqDraining()).isFalse();

      bench.subject().modifyTo(QpState.RESET);
      assertThat(bench.subject().qp().query().sqDraining()).isFalse();
    }
  }
}
