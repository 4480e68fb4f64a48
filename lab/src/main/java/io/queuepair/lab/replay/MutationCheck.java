// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.replay;

import io.queuepair.emulator.profile.DeviceProfile;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntPredicate;

/** Checks that comparison detects changes: changes one recorded value at a time. */
final class MutationCheck {
  /** Least percentage of detected changes: some give the emulator's value, or match a rule. */
  private static final int MIN_PERCENT = 95;

  /** Highest percentage of changes on queue pairs that have diverged, which are not compared. */
  private static final int MAX_NOT_COMPARED_PERCENT = 10;

  private final DeviceProfile profile;
  private final AcceptedDifferences accepted;
  private final List<Scenario> replayed = new ArrayList<>();

  MutationCheck(DeviceProfile profile, AcceptedDifferences accepted) {
    this.profile = profile;
    this.accepted = accepted;
  }

  void add(Scenario scenario) {
    replayed.add(scenario);
  }

  /**
   * Mutates the scenarios in turn.
   *
   * @param isWanted whether to continue, given the number of mutations so far
   */
  boolean run(int count, long seed, PrintWriter out, IntPredicate isWanted) {
    Random random = new Random(seed);
    int made = 0;
    int reported = 0;
    int notCompared = 0;
    int tried = 0;
    for (; tried < count && !replayed.isEmpty() && isWanted.test(tried); tried++) {
      Mutation mutation = Mutation.of(replayed.get(tried % replayed.size()), random);
      if (mutation == null) {
        continue;
      }
      made++;
      List<Difference> differences = ReplayOutcome.of(mutation.scenario(), profile).differences();
      Map<Difference, AcceptedRule> ruleByDifference =
          accepted.rulesFor(mutation.scenario(), differences);
      if (ruleByDifference.size() < differences.size()) {
        reported++;
      } else if (isHidden(mutation, ruleByDifference)) {
        notCompared++;
      } else {
        out.println("not noticed: " + mutation.place());
      }
    }
    if (tried < count && !replayed.isEmpty()) {
      out.printf(
          "interrupted after %d of %d changes; go on with other ones: --mutations %d --seed %d%n",
          tried, count, count - tried, seed + 1);
    }
    out.printf("mutations=%d reported=%d not-compared=%d%n", made, reported, notCompared);
    return reported * 100L >= (made - notCompared) * (long) MIN_PERCENT
        && notCompared * 100L <= made * (long) MAX_NOT_COMPARED_PERCENT;
  }

  /** Whether the changed step has a difference that is accepted because of a known cause. */
  private static boolean isHidden(
      Mutation mutation, Map<Difference, AcceptedRule> ruleByDifference) {
    return ruleByDifference.entrySet().stream()
        .anyMatch(entry -> entry.getKey().step() == mutation.step() && entry.getValue().isCause());
  }
}
