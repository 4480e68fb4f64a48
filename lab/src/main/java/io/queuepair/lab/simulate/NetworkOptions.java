// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulate;

import io.queuepair.emulator.faults.FaultPlan;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** Options for an unreliable network: probabilities for each packet. */
final class NetworkOptions {
  @Option(
      names = "--loss",
      paramLabel = "P",
      defaultValue = "0",
      description = "Probability, 0 to 1, that a packet is lost (default: ${DEFAULT-VALUE}).")
  private double loss;

  @Option(
      names = "--duplicate",
      paramLabel = "P",
      defaultValue = "0",
      description = "That it arrives twice (default: ${DEFAULT-VALUE}).")
  private double duplicate;

  @Option(
      names = "--reorder",
      paramLabel = "P",
      defaultValue = "0",
      description = "That the next one overtakes it (default: ${DEFAULT-VALUE}).")
  private double reorder;

  @Option(
      names = "--corrupt",
      paramLabel = "P",
      defaultValue = "0",
      description = "That one of its bits is flipped (default: ${DEFAULT-VALUE}).")
  private double corrupt;

  @Option(
      names = "--delay",
      paramLabel = "P",
      defaultValue = "0",
      description = "That it is up to 50 us late (default: ${DEFAULT-VALUE}).")
  private double delay;

  /** Returns the fault plan of the options; refuses a value that is no probability. */
  FaultPlan faults() {
    FaultPlan plan = FaultPlan.none();
    for (Given given : given()) {
      if (!(given.probability >= 0 && given.probability <= 1)) {
        throw new IllegalArgumentException(given + " is not a probability, 0 to 1");
      }
      if (given.probability > 0) {
        plan = plan.plus(FaultPlan.parse(given.statement()));
      }
    }
    return plan;
  }

  /** Returns the options as text for a command line, each with a blank before it. */
  String text() {
    return given().stream()
        .filter(given -> given.probability > 0)
        .map(given -> " " + given)
        .collect(Collectors.joining());
  }

  private List<Given> given() {
    return List.of(
        new Given("--loss", "drop", loss),
        new Given("--duplicate", "duplicate", duplicate),
        new Given("--reorder", "reorder", reorder),
        new Given("--corrupt", "corrupt", corrupt),
        new Given("--delay", "delay up to 50us", delay));
  }

  /** Option with its value, and the action of the fault plan that it stands for. */
  private record Given(String name, String action, double probability) {
    String statement() {
      String percent = BigDecimal.valueOf(probability).movePointRight(2).toPlainString();
      return action + " " + percent + "%";
    }

    @Override
    public String toString() {
      return name + " " + probability;
    }
  }
}
