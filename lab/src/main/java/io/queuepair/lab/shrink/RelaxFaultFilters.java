// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.shrink;

import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.lab.simulation.Action;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lets the faults be about more packets than one and looks whether less work fails then: a rule
 * about one packet holds on to everything that is sent before it, and to the length of its message.
 * In the end each is about one packet again.
 */
final class RelaxFaultFilters implements Reduction {
  private static final Pattern ONE_PACKET =
      Pattern.compile(
          "(.*) \\d+(?:st|nd|rd|th) (?:RC|UC|UD)_(\\w+?)"
              + "(?:_(?:FIRST|MIDDLE|LAST|ONLY))?(?:_WITH_\\w+)?( .*)?");

  private static final List<Reduction> REDUCTIONS =
      List.of(new RemoveActions(), new SimplifyActions(), new RemoveFaults(), new SimplifyFaults());

  @Override
  public TestCase apply(TestCase testCase, FailurePredicate trial) {
    TestCase loosened = loosened(testCase);
    TestCase reduced = loosened.equals(testCase) ? null : failing(loosened, trial);
    if (reduced == null) {
      return testCase;
    }
    for (Reduction reduction : REDUCTIONS) {
      reduced = reduction.apply(reduced, trial);
    }
    return weight(reduced) < weight(testCase) ? reduced : testCase;
  }

  /** It, or it without one action, to which the looser faults do something else; or null. */
  private static TestCase failing(TestCase loosened, FailurePredicate trial) {
    if (trial.fails(loosened)) {
      return loosened;
    }
    for (int i = 0; i < loosened.workload().actions().size(); i++) {
      List<Action> actions = new ArrayList<>(loosened.workload().actions());
      actions.remove(i);
      TestCase candidate = loosened.withActions(actions);
      if (trial.fails(candidate)) {
        return candidate;
      }
    }
    return null;
  }

  private static TestCase loosened(TestCase testCase) {
    List<FaultPlan> loose = new ArrayList<>();
    for (FaultPlan one : testCase.faults().each()) {
      Matcher rule = ONE_PACKET.matcher(one.withSeed(0).toString());
      loose.add(rule.matches() ? FaultPlan.parse(rule.group(1) + " " + rule.group(2)) : one);
    }
    return testCase.withFaults(RemoveFaults.joined(loose));
  }

  /** One action or fault more outweighs all bytes, so that this terminates. */
  private static long weight(TestCase testCase) {
    long bytes = 0;
    for (Action action : testCase.workload().actions()) {
      bytes += action instanceof Action.Post post ? post.work().bytes() : 0;
    }
    long items = testCase.workload().actions().size();
    items += testCase.faults().each().size();
    return items * Integer.MAX_VALUE + bytes;
  }
}
