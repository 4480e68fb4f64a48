// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.cmsimulation;

import io.queuepair.verbs.QpType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Everything that one seed does.
 *
 * @param seed of the work, and of the faults
 * @param connections made at the same time by one host to the other
 */
public record CmWorkload(long seed, List<CmConnectionPlan> connections) {
  /** What each side sends at most, and has room for. */
  static final int MOST_MESSAGES = 6;

  private static final int LONGEST_ANSWER_MILLIS = 12_000;
  private static final int LONGEST_END_MILLIS = 20_000;

  /**
   * The work of a seed.
   *
   * @param seed any number
   * @param connections how many
   * @param types of their queue pairs, in turn; of RC and UD
   * @return the same for the same arguments
   */
  public static CmWorkload of(long seed, int connections, List<QpType> types) {
    Random random = new Random(seed);
    List<CmConnectionPlan> plans = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      plans.add(plan(random, types.get(i % types.size())));
    }
    return new CmWorkload(seed, List.copyOf(plans));
  }

  private static CmConnectionPlan plan(Random random, QpType type) {
    CmEnding[] endings = CmEnding.values();
    return new CmConnectionPlan(
        type,
        answer(random.nextInt(8)),
        mostlyShort(random, LONGEST_ANSWER_MILLIS),
        endings[random.nextInt(endings.length)],
        mostlyShort(random, LONGEST_END_MILLIS),
        random.nextInt(MOST_MESSAGES + 1));
  }

  private static CmAnswer answer(int chance) {
    return switch (chance) {
      case 0 -> CmAnswer.REJECT;
      case 1 -> CmAnswer.DESTROY;
      default -> CmAnswer.ACCEPT;
    };
  }

  private static int mostlyShort(Random random, int longest) {
    return random.nextInt(3) == 0 ? random.nextInt(longest) : random.nextInt(20);
  }
}
