// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.states;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.tests.conformance.Window;
import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which types of queue pairs bind and invalidate windows, and in which states. */
final class WindowKindsTest {
  private static final int BYTES = 64;

  static Stream<QpKind> binding() {
    return Stream.of(QpKind.RC, QpKind.UC, QpKind.XRC_SEND);
  }

  private static MemoryRegion bindable(TestSide side) {
    return side.end().pd().regMr(ByteBuffer.allocateDirect(BYTES), Window.BINDABLE);
  }

  private static Window posted(TestSide side, MwType type, MemoryRegion region) {
    return Window.posted(
        side.qp(), side.end().pd().allocMw(type), Window.over(region, Window.ALL_REMOTE));
  }

  @Test
  void datagramsBindNothing() {
    try (QpStateFixture bench = QpStateFixture.connected(QpKind.UD)) {
      TestSide subject = bench.subject();

      assertThatThrownBy(() -> posted(subject, MwType.TYPE_1, bindable(subject)))
          .isInstanceOf(VerbsException.class)
          .hasMessageContaining("EINVAL");
      assertThatThrownBy(() -> posted(subject, MwType.TYPE_2, bindable(subject)))
          .isInstanceOf(BadWorkRequestException.class)
          .hasMessageContaining("BIND_MW is not an operation of type UD");
    }
  }

  @ParameterizedTest
  @MethodSource("binding")
  void aBindThatFailsStopsTheSendQueueAndSaysWhy(QpKind kind) {
    try (QpStateFixture bench = QpStateFixture.connected(kind)) {
      TestSide subject = bench.subject();
      posted(subject, MwType.TYPE_2, subject.end().region());
      subject.postSend(subject.send(20));
      bench.drain();

      List<WorkCompletion> failed = subject.sendCompletions();
      assertThat(subject.state()).isEqualTo(kind.isReliable() ? QpState.ERR : QpState.SQE);
      assertThat(failed)
          .extracting(wc -> wc.wrId() + " " + wc.status())
          .containsExactly(Window.BIND + " MW_BIND_ERR", "20 WR_FLUSH_ERR");
      assertThat(failed.get(0).explain()).contains("registered without MW_BIND");
      assertThat(failed.get(1).explain()).contains(failed.get(0).explain());
    }
  }
}
