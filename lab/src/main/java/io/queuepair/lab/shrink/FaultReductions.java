// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.shrink;

import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.lab.simulation.TestCase;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Reductions of the fault plan. */
final class FaultReductions {
  /** Statement about packets by ordinal number, such as "drop 3rd". */
  private static final Pattern PLACE = Pattern.compile(".* \\d+(st|nd|rd|th)( .*)?");

  /** Conditions of statements, most specific first. */
  private static final List<String> CONDITIONS =
      List.of(" to \\S+ qp \\d+ psn \\d+", " psn \\d+", " qp \\d+", " to \\S+");

  private static final List<UnaryOperator<FaultPlan>> WITHOUT_CONDITION =
      CONDITIONS.stream().map(FaultReductions::without).toList();

  private FaultReductions() {}

  /**
   * Removes faults: first whole statements; then replaces random statements by one statement for
   * each packet that they affected, and removes those.
   */
  static <T extends TestCase<T>> T remove(T testCase, FailurePredicate<T> predicate) {
    if (testCase.faults().isEmpty()) {
      return testCase;
    }
    T fewer = removeStatements(testCase, predicate);
    T exact = fewer.withFaults(predicate.record(fewer).appliedFaults());
    boolean isOther = !exact.equals(fewer) && !isExact(fewer);
    return isOther && predicate.fails(exact) ? removeStatements(exact, predicate) : fewer;
  }

  private static <T extends TestCase<T>> T removeStatements(
      T testCase, FailurePredicate<T> predicate) {
    return Reduction.<T, FaultPlan>removing(
            one -> one.faults().each(), (one, plans) -> one.withFaults(joined(plans)), 0)
        .apply(testCase, predicate);
  }

  /** Whether all faults name packets by ordinal number: exact rules would be longer. */
  private static boolean isExact(TestCase<?> testCase) {
    return testCase.faults().each().stream().allMatch(plan -> PLACE.matcher(text(plan)).matches());
  }

  /** Removes conditions of faults that are not needed to identify the packet. */
  static <T extends TestCase<T>> T simplify(T testCase, FailurePredicate<T> predicate) {
    return Reduction.<T, FaultPlan>simplifying(
            one -> one.faults().each(),
            (one, plans) -> one.withFaults(joined(plans)),
            WITHOUT_CONDITION)
        .apply(testCase, predicate);
  }

  private static UnaryOperator<FaultPlan> without(String condition) {
    return plan -> {
      String text = text(plan);
      String shorter = text.replaceFirst(condition, "");
      return shorter.equals(text) ? plan : FaultPlan.parse(shorter);
    };
  }

  static String text(FaultPlan plan) {
    return plan.withSeed(0).toString();
  }

  static FaultPlan joined(List<FaultPlan> plans) {
    return plans.stream().reduce(FaultPlan.none(), FaultPlan::plus);
  }
}
