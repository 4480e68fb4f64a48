package io.queuepair.tests.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.Fault;
import io.queuepair.emulator.fabric.Faults;
import io.queuepair.tools.simulate.Outcome;
import io.queuepair.tools.simulate.Simulation;
import io.queuepair.tools.simulate.SimulationOptions;
import io.queuepair.tools.simulate.Totals;
import io.queuepair.tools.simulate.Workload;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever the network does, every invariant holds. A failure names its seed. */
final class SimulationTest {
  private static Faults each(double probability) {
    Faults faults = Faults.none();
    for (Fault fault : Fault.values()) {
      faults = faults.with(fault, probability);
    }
    return faults;
  }

  private static Totals run(int firstSeed, int seeds, Faults faults) {
    SimulationOptions options = SimulationOptions.DEFAULT.withFaults(faults);
    Totals totals = new Totals();
    for (int seed = firstSeed; seed < firstSeed + seeds; seed++) {
      Outcome outcome = Simulation.run(Workload.of(seed, options), faults);
      assertThat(outcome.failure()).as("seed %d", seed).isNull();
      totals.add(outcome);
    }
    System.out.println(totals.sends());
    return totals;
  }

  @ParameterizedTest
  @CsvSource({"1, 0.0, 32", "1001, 0.01, 32", "2001, 0.05, 32"})
  void nearlyAllSendsSucceedWhereFaultsAreRare(int firstSeed, double probability, int seeds) {
    Totals totals = run(firstSeed, seeds, each(probability));

    assertThat(totals.succeededShare()).isGreaterThanOrEqualTo(0.99);
  }

  @ParameterizedTest
  @CsvSource({"3001, 0.15, 30", "4001, 0.3, 32"})
  void nothingForbiddenHappensWhereFaultsAreFrequent(int firstSeed, double probability, int seeds) {
    Totals totals = run(firstSeed, seeds, each(probability));

    assertThat(totals.succeededShare()).isPositive();
  }

  @ParameterizedTest
  @CsvSource({"LOSS", "DUPLICATION", "REORDERING", "CORRUPTION", "DELAY"})
  void nothingForbiddenHappensUnderOneFaultAlone(Fault fault) {
    run(5001 + 100 * fault.ordinal(), 10, Faults.none().with(fault, 0.3));
  }

  @Test
  void sameSeedsGiveTheSamePacketsAndCompletions() {
    assertThat(run(6001, 5, each(0.1)).line()).isEqualTo(run(6001, 5, each(0.1)).line());
  }
}
