// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.lab.shard.RunTotals;
import io.queuepair.lab.totals.SimulationSummary;
import io.queuepair.verbs.QpType;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever the network does, every invariant holds. A failure names its seed. */
final class SimulationTest {
  private static FaultPlan each(double percent) {
    return FaultPlan.parse(
        """
        drop %1$s%%
        duplicate %1$s%%
        reorder %1$s%%
        corrupt %1$s%%
        delay up to 50us %1$s%%
        """
            .formatted(percent));
  }

  private static SimulationSummary run(int firstSeed, int seeds, FaultPlan faults) {
    return run(firstSeed, seeds, SimulationOptions.DEFAULT.withFaults(faults));
  }

  private static SimulationSummary run(int firstSeed, int seeds, SimulationOptions options) {
    RunTotals totals = RunTotals.none("simulate", firstSeed);
    for (int seed = firstSeed; seed < firstSeed + seeds; seed++) {
      SimulationOutcome outcome = WorkTestCase.of(seed, options).run();
      assertThat(outcome.failure()).as("seed %d", seed).isNull();
      totals = totals.plus(outcome.totals("simulate"));
    }
    return new SimulationSummary(totals);
  }

  @ParameterizedTest
  @CsvSource({"1, 0, 32", "1001, 1, 32", "2001, 5, 32"})
  void nearlyAllSendsSucceedWhereFaultsAreRare(int firstSeed, double percent, int seeds) {
    SimulationSummary summary = run(firstSeed, seeds, each(percent));

    assertThat(summary.succeededShare()).isGreaterThanOrEqualTo(0.99);
  }

  @ParameterizedTest
  @CsvSource({"3001, 15, 30", "4001, 30, 32"})
  void nothingForbiddenHappensWhereFaultsAreFrequent(int firstSeed, double percent, int seeds) {
    SimulationSummary summary = run(firstSeed, seeds, each(percent));

    assertThat(summary.succeededShare()).isPositive();
  }

  @ParameterizedTest
  @CsvSource({
    "5001, drop 30%",
    "5101, duplicate 30%",
    "5201, reorder 30%",
    "5301, corrupt 30%",
    "5401, delay up to 50us 30%"
  })
  void nothingForbiddenHappensUnderOneFaultAlone(int firstSeed, String plan) {
    run(firstSeed, 10, FaultPlan.parse(plan));
  }

  /** Ports, hosts and devices; the beginnings of runs, where there is work. */
  @ParameterizedTest
  @CsvSource({
    "7001, port fd00::1 down at 20us for 400us",
    "7101, port fd00::2 down at 5us for 5ms",
    "7201, kill fd00::2 at 30us",
    "7301, partition fd00::1 at 10us for 3ms",
    "7401, pause fd00::1 at 10us for 200us"
  })
  void nothingForbiddenHappensToHosts(int firstSeed, String plan) {
    SimulationSummary summary = run(firstSeed, 10, FaultPlan.parse(plan));

    assertThat(summary.sentences()).noneMatch(line -> line.contains(" 0 times"));
  }

  /** Some lose a message from its middle on, so that duplicates are acknowledged. */
  @Test
  void noSendThatFailsByLossIsSaidToFailByAWrongPsn() {
    run(370, 31, new SimulationOptions(FaultPlan.parse("drop 50%"), 3, List.of(QpType.RC)));
  }

  @Test
  void nothingForbiddenHappensToLargeMessages() {
    FaultPlan plan = FaultPlan.parse("drop 2%; duplicate 2%; reorder 2%; delay up to 50us 5%");
    run(9001, 4, new SimulationOptions(plan, 2, List.of(QpType.RC), 200_000));
  }

  /** One fills the window of the requester, 1 MiB. */
  @Test
  @Tag("large")
  void nothingForbiddenHappensToTheLargestMessages() {
    FaultPlan plan = FaultPlan.parse("drop 0.2%");
    run(9101, 4, new SimulationOptions(plan, 2, List.of(QpType.RC), 3_000_000));
  }

  /**
   * Answers that come late find a queue pair in ERR, whose retries they do not restore; and what
   * the receiver was not ready for comes a second time and is acknowledged, so that it is not sent
   * again.
   */
  @ParameterizedTest
  @CsvSource({
    "8200748, 1, RC, drop 30%; reorder 30%; delay up to 50us 50%",
    "842, 3, 'RC,UC,UD', drop 30%; duplicate 20%; reorder 30%; delay up to 50us 50%"
  })
  void whatComesLateIsNoViolation(int seed, int connections, String types, String plan) {
    List<QpType> all = Stream.of(types.split(",")).map(QpType::valueOf).toList();
    run(seed, 1, new SimulationOptions(FaultPlan.parse(plan), connections, all));
  }

  @Test
  void sameSeedsGiveTheSamePacketsAndCompletions() {
    assertThat(run(6001, 5, each(10)).line()).isEqualTo(run(6001, 5, each(10)).line());
  }
}
