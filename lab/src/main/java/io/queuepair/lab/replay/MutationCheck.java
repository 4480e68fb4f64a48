// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.replay;

import io.queuepair.emulator.profile.DeviceProfile;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntPredicate;

/** Whether the comparison notices: changes recorded values, one at a time, and replays again. */
final class MutationCheck {
  /** Least share noticed, in percent: a change can happen to be what we answer, or accept. */
  private static final int MIN_PERCENT = 95;

  /** How much may not be compared since a queue pair has gone another way, in percent. */
  private static final int MAX_NOT_COMPARED_PERCENT = 10;

  private final DeviceProfile profile;
  private final AcceptedDifferences accepted;
  private final List<Scenario> replayed = new ArrayList<>();

  MutationCheck(DeviceProfile profile, AcceptedDifferences accepted) {
    this.profile = profile;
    this.accepted = accepted;
  }

  /** Takes a scenario that was replayed. */
  void add(Scenario scenario) {
    replayed.add(scenario);
  }

  /**
   * Changes the scenarios in turn.
   *
   * @param isWanted whether to make another change, given how many were tried
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
      Map<Difference, AcceptedRule> judged = accepted.rulesFor(mutation.scenario(), differences);
      if (judged.size() < differences.size()) {
        reported++;
      } else if (isHidden(mutation, judged)) {
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

  /** Whether the changed value is one of those that follow from a known cause. */
  private static boolean isHidden(Mutation mutation, Map<Difference, AcceptedRule> judged) {
    return judged.entrySet().stream()
        .anyMatch(entry -> entry.getKey().step() == mutation.step() && entry.getValue().isCause());
  }
}
