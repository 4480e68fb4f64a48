// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.robustness;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.WcStatus;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two sides exchange checked bytes over a bad network, and over one that fails now and then. */
final class SoakTest {
  private static final String A = "10.0.0.1";
  private static final String B = "10.0.0.2";

  /** Of each side. */
  private static final int REQUESTS = 1_500;

  /** 4.096 us * 2^16 = 268 ms for each of eight tries. */
  private static final int LONG_TIMEOUT = 16;

  /** 4.096 us * 2^8 = 1 ms, so that eight tries take less than the port is down. */
  private static final int SHORT_TIMEOUT = 8;

  /** Far longer than all of it takes. */
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private static final class SoakRun implements AutoCloseable {
    private final Emulator emulator;
    private final CheckedPeer a;
    private final CheckedPeer b;

    SoakRun(LinkForm form, String plan, int timeout) {
      emulator = Emulator.on(form.fabric()).injectFaults(FaultPlan.parse(plan));
      a = new CheckedPeer(emulator, A, 1);
      b = new CheckedPeer(emulator, B, 2);
      a.connect(b, timeout);
      b.connect(a, timeout);
    }

    void run(Duration step) {
      while (!a.isDone(REQUESTS) || !b.isDone(REQUESTS)) {
        a.work(REQUESTS);
        b.work(REQUESTS);
        emulator.run(step);
        assertThat(a.failure()).isNull();
        assertThat(b.failure()).isNull();
        assertThat(emulator.now()).as("stuck").isLessThan(LIMIT);
      }
    }

    void runUntilItFails() {
      while (a.failure() == null || !a.isIdle()) {
        a.work(REQUESTS);
        b.work(REQUESTS);
        emulator.run(Duration.ofMillis(1));
        assertThat(emulator.now()).as("stuck").isLessThan(LIMIT);
      }
    }

    @Override
    public void close() {
      emulator.close();
    }
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void everyByteArrivesOnceThroughLossDuplicatesReorderingAndCorruption(LinkForm form) {
    String plan = "seed 5; drop 5%; duplicate 1%; reorder 1%; corrupt 0.3%";
    try (SoakRun soak = new SoakRun(form, plan, LONG_TIMEOUT)) {
      soak.run(Duration.ofNanos(20_000));

      assertThat(soak.emulator.faultCounts().values()).hasSize(4).allMatch(count -> count > 10);
      assertThat(soak.a.state()).isEqualTo(QpState.RTS);
      assertThat(soak.b.state()).isEqualTo(QpState.RTS);
    }
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void retriesEndWhileThePortIsDownForLongerThanTheyTake(LinkForm form) {
    try (SoakRun soak = new SoakRun(form, "port " + A + " down at 1ms for 40ms", SHORT_TIMEOUT)) {
      soak.runUntilItFails();

      assertThat(soak.a.failure().status()).isEqualTo(WcStatus.RETRY_EXC_ERR);
      assertThat(soak.a.state()).isEqualTo(QpState.ERR);
      assertThat(soak.emulator.now()).isLessThan(Duration.ofMillis(41));
    }
  }
}
