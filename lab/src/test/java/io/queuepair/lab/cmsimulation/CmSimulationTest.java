// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.cmsimulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.wire.CmField;
import io.queuepair.emulator.wire.CmKind;
import io.queuepair.emulator.wire.CmMessage;
import io.queuepair.lab.shard.RunTotals;
import io.queuepair.lab.shrink.ShrinkResult;
import io.queuepair.lab.shrink.Shrinker;
import io.queuepair.lab.shrink.ShrunkConnections;
import io.queuepair.lab.simulation.Recording;
import io.queuepair.lab.simulation.SimulationFailure;
import io.queuepair.lab.simulation.SimulationOptions;
import io.queuepair.lab.simulation.SimulationOutcome;
import io.queuepair.lab.totals.SimulationSummary;
import io.queuepair.tests.support.CmRewritingFabric;
import io.queuepair.verbs.QpType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever the network does, both sides know how a connection ended, no event comes twice, and
 * nothing is left. {@code queuepair simulate --cm} tries more seeds.
 */
final class CmSimulationTest {
  private static final int SEEDS = Integer.getInteger("cm.seeds", 8);

  private static CmTestCase work(long seed, String faults) {
    List<QpType> types = List.of(QpType.RC, QpType.UD);
    return CmTestCase.of(seed, new SimulationOptions(FaultPlan.parse(faults), 3, types));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "drop 0% CM",
        "drop 20%",
        "duplicate 20%",
        "reorder 20%",
        "delay up to 300ms 20%",
        "corrupt 20%",
        "drop 20%; duplicate 20%; reorder 20%; corrupt 20%; delay up to 300ms 20%",
      })
  void everyConnectionEndsAndBothSidesKnow(String plan) {
    SimulationSummary summary = run(plan);

    assertThat(count(summary, CmResult.UNAWARE)).isZero();
    assertThat(count(summary, CmResult.ESTABLISHED)).isPositive();
    assertThat(summary.count(SimulationOutcome.RECEIVED)).isPositive();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "partition fd00::1 from fd00::2 at 10ms",
        "drop 20%; partition fd00::1 from fd00::2 at 5s for 60s",
        "kill fd00::2 at 300ms",
        "drop 20%; kill fd00::1 at 5s",
      })
  void everyConnectionEndsWhenThePeerIsGone(String plan) {
    SimulationSummary summary = run(plan);

    assertThat(count(summary, CmResult.UNAWARE) + count(summary, CmResult.UNREACHABLE))
        .isPositive();
  }

  private static long count(SimulationSummary summary, CmResult result) {
    return summary.count(result.countName());
  }

  private static SimulationSummary run(String plan) {
    RunTotals totals = RunTotals.none("simulate --cm", 1);
    List<SimulationFailure> failures = new ArrayList<>();
    for (int seed = 1; seed <= SEEDS; seed++) {
      SimulationOutcome outcome = work(seed, plan).run();
      totals = totals.plus(outcome.totals("simulate --cm"));
      if (outcome.failure() != null) {
        failures.add(outcome.failure());
      }
    }
    assertThat(failures).isEmpty();
    return new SimulationSummary(totals);
  }

  @Test
  void theSameSeedIsTheSameRun() {
    String faults = "drop 20%; duplicate 20%";
    Recording recording = work(7, faults).record(UnaryOperator.identity());

    assertThat(work(7, faults).record(UnaryOperator.identity())).isEqualTo(recording);
    assertThat(work(7, faults).run()).isEqualTo(recording.outcome());
    assertThat(work(8, faults).run().trace()).isNotEqualTo(recording.outcome().trace());
  }

  /** Every request is sent twice, the second time as one of another connection. */
  private static List<CmMessage> twice(CmMessage message) {
    return message.kind() == CmKind.REQ
        ? List.of(message, changed(message, CmField.REQ_LOCAL_COMM_ID, CmField.REQ_LOCAL_QPN))
        : List.of(message);
  }

  private static CmMessage changed(CmMessage message, CmField... fields) {
    CmMessage other = message.copy();
    for (CmField field : fields) {
      other.set(field, 0x77);
    }
    return other;
  }

  /** A client is put off for hours instead of being answered. */
  private static List<CmMessage> putOff(CmMessage message) {
    if (message.kind() == CmKind.REP) {
      return List.of(
          CmMessage.of(CmKind.MRA, message.localCommId(), message.remoteCommId())
              .set(CmField.MAD_TRANSACTION_ID, message.transactionId())
              .set(CmField.MRA_SERVICE_TIMEOUT, 31));
    }
    return message.kind() == CmKind.REJ ? List.of() : List.of(message);
  }

  /** A DREQ names a queue pair, but a connection that there is not. */
  private static List<CmMessage> misdirected(CmMessage message) {
    return message.kind() == CmKind.DREQ
        ? List.of(changed(message, CmField.DREQ_REMOTE_COMM_ID))
        : List.of(message);
  }

  private static List<SimulationFailure> failures(Function<CmMessage, List<CmMessage>> sabotage) {
    List<SimulationFailure> failures = new ArrayList<>();
    for (int seed = 1; seed <= 10; seed++) {
      SimulationOutcome outcome =
          work(seed, "").run(network -> new CmRewritingFabric(network, sabotage));
      if (outcome.failure() != null) {
        failures.add(outcome.failure());
      }
    }
    return failures;
  }

  @Test
  void aRequestThatComesTwiceIsNoticed() {
    assertThat(failures(CmSimulationTest::twice))
        .extracting(SimulationFailure::invariant)
        .contains("a request comes twice");
  }

  @Test
  void anIdThatNeverEndsIsNoticed() {
    assertThat(failures(CmSimulationTest::putOff))
        .extracting(SimulationFailure::invariant)
        .contains("an id never ends: its state is %s");
  }

  @Test
  void aSideThatDoesNotHearOfTheEndIsNoticed() {
    assertThat(failures(CmSimulationTest::misdirected))
        .extracting(SimulationFailure::invariant)
        .contains("a DREQ has arrived and is not reported");
  }

  @Test
  void whatFailsIsReducedToOneConnectionAndWhatItNeeds() {
    ShrinkResult<CmTestCase> shrunk =
        Shrinker.ofConnections((smaller, runs) -> {})
            .shrink(
                work(1, "drop 1%; reorder 1%"),
                network -> new CmRewritingFabric(network, CmSimulationTest::twice));

    assertThat(shrunk.smallest().connections()).hasSize(1);
    assertThat(shrunk.smallest().faults().isEmpty()).isTrue();
    assertThat(shrunk.recording().outcome().failure().invariant())
        .isEqualTo("a request comes twice");
    assertThat(ShrunkConnections.of(shrunk))
        .anyMatch(line -> line.endsWith("passive 0  CONNECT_REQUEST"));
  }
}
