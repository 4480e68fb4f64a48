// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5.coverage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.junit5.QpPair;
import io.queuepair.junit5.QueuepairTest;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.LauncherSessionListener;

/** The share of RDMA that a run met, and the gate on it. */
@QueuepairTest
class CoverageGateTest {
  @Test
  void doesNotPassARunWithoutDevices() {
    assertThat(CoverageGate.linesOf(new Coverage()))
        .containsExactly("coverage of RDMA: none, as no device was looked at");
    assertThatThrownBy(() -> CoverageGate.check(new Coverage(), "0"))
        .hasMessage("queuepair.coverage.min is 0, but no device was looked at: no test used one");
  }

  @Test
  void namesWhatIsMissing(QpPair pair) {
    pair.b().qp().postRecv(RecvWr.of(1, pair.b().sge(0, 8)));
    pair.a().qp().postSend(SendWr.send(2, pair.a().sge(0, 5)));
    pair.a().await();
    Coverage coverage = pair.emulator().coverage().of(QpType.RC);

    assertThat(CoverageGate.linesOf(coverage))
        .contains("  STATE                   66.7 %; missing: RC SQD, RC ERR");
    assertThatThrownBy(() -> CoverageGate.check(coverage, "STATE=80, OPCODE_SENT=1"))
        .hasMessage(
            "too little of RDMA was met (queuepair.coverage.min is STATE=80, OPCODE_SENT=1):\n"
                + "  STATE                   66.7 %; missing: RC SQD, RC ERR");
    assertThatThrownBy(() -> CoverageGate.check(coverage, "7"))
        .hasMessageContaining("\n  NAK_SENT")
        .hasMessageContaining("\n  EVENT");
    assertThatCode(() -> CoverageGate.check(coverage, "STATE=60,STATUS=7"))
        .doesNotThrowAnyException();
  }

  @Test
  void refusesWhatIsNoShare(QpPair pair) {
    Coverage coverage = pair.emulator().coverage();

    for (String wrong : List.of("much", "STATE", "101", "-1", "STATES=10", "STATE=10;STATUS=5")) {
      assertThatThrownBy(() -> CoverageGate.check(coverage, wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("queuepair.coverage.min is " + wrong + ", and should be");
    }
    assertThatThrownBy(() -> CoverageGate.type("rc"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("queuepair.coverage is rc, and should be all or one of [RC, UC,");
  }

  @Test
  void isFoundByLaunchers() {
    assertThat(ServiceLoader.load(LauncherSessionListener.class))
        .hasAtLeastOneElementOfType(CoverageGate.class);
  }
}
