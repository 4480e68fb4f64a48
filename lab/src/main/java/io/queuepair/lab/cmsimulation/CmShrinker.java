// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.cmsimulation;

import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.threads.DeltaDebugging;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Reduces a seed that fails: to fewer and simpler connections, and to fewer faults, each of which
 * becomes a statement about one packet. What is left violates the same invariant.
 */
public final class CmShrinker {
  private static final int MOST_ROUNDS = 10;

  private final UnaryOperator<Fabric> network;
  private final Consumer<String> progress;
  private CmWorkload workload;
  private FaultPlan faults;
  private String invariant;
  private int runs;

  /**
   * A shrinker.
   *
   * @param network decorates the network of each run
   * @param progress called with how far it is
   */
  public CmShrinker(UnaryOperator<Fabric> network, Consumer<String> progress) {
    this.network = network;
    this.progress = progress;
  }

  /**
   * What is left of a seed.
   *
   * @param workload the connections
   * @param faults what goes wrong
   * @param outcome how it fails
   * @param runs simulations that it took
   */
  public record CmShrinkResult(CmWorkload workload, FaultPlan faults, CmOutcome outcome, int runs) {

    /** {@return what is left, in a few words} */
    public String size() {
      int connections = workload.connections().size();
      return connections
          + (connections == 1 ? " connection, " : " connections, ")
          + faults.each().size()
          + " faults";
    }

    /** {@return what is left and what happens, for people} */
    public List<String> lines() {
      List<String> lines = new ArrayList<>();
      lines.add("# Seed " + workload.seed() + " of connections, reduced");
      lines.add("");
      lines.add(outcome.failure().toString());
      lines.add("");
      lines.add("Faults: " + (faults.isEmpty() ? "none" : faults));
      for (CmConnectionPlan plan : workload.connections()) {
        lines.add("Connection: " + plan);
      }
      lines.add("");
      lines.addAll(outcome.record().lines());
      return lines;
    }
  }

  /**
   * Reduces a seed.
   *
   * @param failing its work
   * @param plan its faults
   * @return the smallest that fails in the same way
   * @throws IllegalArgumentException if it does not fail
   */
  public CmShrinkResult shrink(CmWorkload failing, FaultPlan plan) {
    CmOutcome first = CmSimulation.run(failing, plan, network, emulator -> {});
    if (first.failure() == null) {
      throw new IllegalArgumentException("seed " + failing.seed() + " does not fail");
    }
    workload = failing;
    faults = plan;
    invariant = first.failure().invariant();
    int before = Integer.MAX_VALUE;
    for (int round = 0; round < MOST_ROUNDS && size() < before; round++) {
      before = size();
      removeConnections();
      simplifyConnections();
      removeFaults();
    }
    CmOutcome last = CmSimulation.run(workload, faults, network, emulator -> {});
    return new CmShrinkResult(workload, faults, last, runs);
  }

  private int size() {
    return workload.toString().length() + faults.toString().length();
  }

  private boolean fails(CmWorkload smaller, FaultPlan fewer) {
    runs++;
    CmOutcome outcome = CmSimulation.run(smaller, fewer, network, emulator -> {});
    boolean isIt = outcome.failure() != null && outcome.failure().invariant().equals(invariant);
    if (isIt) {
      workload = smaller;
      faults = fewer;
      int left = smaller.connections().size();
      progress.accept(left + " connections left after " + runs + " runs");
    }
    return isIt;
  }

  private void removeConnections() {
    DeltaDebugging.minimal(
        workload.connections(), fewer -> !fewer.isEmpty() && fails(workload.with(fewer), faults));
  }

  private void simplifyConnections() {
    for (int i = 0; i < workload.connections().size(); i++) {
      int index = i;
      List<UnaryOperator<CmConnectionPlan>> simpler =
          List.of(
              plan -> plan.withMessages(0),
              plan -> plan.withAnswer(CmAnswer.ACCEPT, plan.answerMillis()),
              plan -> plan.withAnswer(plan.answer(), 0),
              plan -> plan.withEnding(CmEnding.ACTIVE_DISCONNECTS, plan.endMillis()),
              plan -> plan.withEnding(plan.ending(), 0));
      for (UnaryOperator<CmConnectionPlan> change : simpler) {
        List<CmConnectionPlan> plans = new ArrayList<>(workload.connections());
        plans.set(index, change.apply(plans.get(index)));
        if (!plans.equals(workload.connections())) {
          fails(workload.with(plans), faults);
        }
      }
    }
  }

  private void removeFaults() {
    if (faults.isEmpty()) {
      return;
    }
    removeStatements();
    CmOutcome outcome = CmSimulation.run(workload, faults, network, emulator -> {});
    FaultPlan exact = joined(outcome.record().appliedFaults().each());
    if (faults.toString().contains("%") && fails(workload, exact)) {
      removeStatements();
    }
  }

  private void removeStatements() {
    DeltaDebugging.minimal(faults.each(), plans -> fails(workload, joined(plans)));
  }

  private static FaultPlan joined(List<FaultPlan> plans) {
    return plans.stream().reduce(FaultPlan.none(), FaultPlan::plus);
  }
}
