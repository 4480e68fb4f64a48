// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.shrink;

import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.lab.simulation.Action;
import io.queuepair.lab.simulation.ConnectionConfig;
import io.queuepair.lab.simulation.Membership;
import io.queuepair.lab.simulation.RetryAttributes;
import io.queuepair.lab.simulation.WorkTestCase;
import io.queuepair.verbs.Mtu;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reductions of test cases with work on queue pairs. */
final class WorkReductions {
  private static final Pattern ONE_PACKET =
      Pattern.compile(
          "(.*) \\d+(?:st|nd|rd|th) (?:RC|UC|UD)_(\\w+?)"
              + "(?:_(?:FIRST|MIDDLE|LAST|ONLY))?(?:_WITH_\\w+)?( .*)?");

  /** Replaces parameters of a connection by defaults: PSNs from 0, one READ, no traits. */
  private static final List<UnaryOperator<ConnectionConfig>> ORDINARY =
      List.of(
          config -> new ConnectionConfig(config.type(), config.mtu(), config.reads(), config.psn()),
          config -> config.with(config.retry(), config.membership(), Set.of()),
          config -> config.with(config.retry(), Membership.DEFAULT, config.traits()),
          config -> config.with(RetryAttributes.DEFAULT, config.membership(), config.traits()),
          config -> config.with(config.mtu(), config.reads(), 0),
          config -> config.with(config.mtu(), 1, config.psn()),
          config -> config.with(Mtu.MTU_1024, config.reads(), config.psn()));

  private static final Reduction<WorkTestCase> REMOVE_ACTIONS =
      Reduction.removing(WorkTestCase::actions, WorkTestCase::withActions, 0);

  /** Reductions, repeated until none succeeds; those that remove most come first. */
  static final List<Reduction<WorkTestCase>> ALL =
      List.of(
          REMOVE_ACTIONS,
          WorkReductions::mergeWaits,
          WorkReductions::removeConnections,
          Reduction.simplifying(
              WorkTestCase::connections,
              (testCase, configs) -> testCase.with(configs, testCase.actions()),
              ORDINARY),
          SimplifyActions::apply,
          FaultReductions::remove,
          FaultReductions::simplify,
          WorkReductions::relaxFaults);

  private static final List<Reduction<WorkTestCase>> WHEN_RELAXED =
      List.of(
          REMOVE_ACTIONS,
          SimplifyActions::apply,
          FaultReductions::remove,
          FaultReductions::simplify);

  private WorkReductions() {}

  /** Merges consecutive waits into one. */
  private static WorkTestCase mergeWaits(
      WorkTestCase testCase, FailurePredicate<WorkTestCase> predicate) {
    WorkTestCase smallest = testCase;
    for (int i = testCase.actions().size() - 1; i > 0; i--) {
      List<Action> actions = new ArrayList<>(smallest.actions());
      if (actions.get(i - 1) instanceof Action.Run first
          && actions.get(i) instanceof Action.Run second) {
        actions.set(i - 1, new Action.Run(first.nanos() + second.nanos()));
        actions.remove(i);
        WorkTestCase merged = smallest.withActions(actions);
        smallest = predicate.fails(merged) ? merged : smallest;
      }
    }
    return smallest;
  }

  private static WorkTestCase removeConnections(
      WorkTestCase testCase, FailurePredicate<WorkTestCase> predicate) {
    WorkTestCase smallest = testCase;
    for (int i = testCase.connections().size() - 1; i >= 0; i--) {
      if (smallest.connections().size() > 1) {
        WorkTestCase smaller = without(smallest, i);
        smallest = predicate.fails(smaller) ? smaller : smallest;
      }
    }
    return smallest;
  }

  private static WorkTestCase without(WorkTestCase testCase, int connection) {
    List<ConnectionConfig> configs = new ArrayList<>(testCase.connections());
    configs.remove(connection);
    List<Action> actions = new ArrayList<>();
    for (Action action : testCase.actions()) {
      if (action.connection() != connection) {
        boolean isBehind = action.connection() > connection;
        actions.add(isBehind ? action.withConnection(action.connection() - 1) : action);
      }
    }
    return testCase.with(configs, actions);
  }

  /**
   * Generalizes faults to more packets than one and tries to remove work then: a rule about one
   * packet depends on all packets sent before it, and on the length of its message. At the end each
   * fault is about one packet again.
   */
  private static WorkTestCase relaxFaults(
      WorkTestCase testCase, FailurePredicate<WorkTestCase> predicate) {
    WorkTestCase relaxed = relaxed(testCase);
    WorkTestCase reduced = relaxed.equals(testCase) ? null : failing(relaxed, predicate);
    if (reduced == null) {
      return testCase;
    }
    for (Reduction<WorkTestCase> reduction : WHEN_RELAXED) {
      reduced = reduction.apply(reduced, predicate);
    }
    return weight(reduced) < weight(testCase) ? reduced : testCase;
  }

  /** The test case, or a copy without one action, whichever fails; null if neither does. */
  private static WorkTestCase failing(
      WorkTestCase relaxed, FailurePredicate<WorkTestCase> predicate) {
    if (predicate.fails(relaxed)) {
      return relaxed;
    }
    for (int i = 0; i < relaxed.actions().size(); i++) {
      List<Action> actions = new ArrayList<>(relaxed.actions());
      actions.remove(i);
      WorkTestCase candidate = relaxed.withActions(actions);
      if (predicate.fails(candidate)) {
        return candidate;
      }
    }
    return null;
  }

  private static WorkTestCase relaxed(WorkTestCase testCase) {
    List<FaultPlan> plans = new ArrayList<>();
    for (FaultPlan plan : testCase.faults().each()) {
      Matcher rule = ONE_PACKET.matcher(FaultReductions.text(plan));
      plans.add(rule.matches() ? FaultPlan.parse(rule.group(1) + " " + rule.group(2)) : plan);
    }
    return testCase.withFaults(FaultReductions.joined(plans));
  }

  /** Size of a test case: one action or fault outweighs all bytes, so that reducing ends. */
  private static long weight(WorkTestCase testCase) {
    long bytes = 0;
    for (Action action : testCase.actions()) {
      bytes += action instanceof Action.Post post ? post.work().bytes() : 0;
    }
    long items = testCase.actions().size();
    items += testCase.faults().each().size();
    return items * Integer.MAX_VALUE + bytes;
  }
}
