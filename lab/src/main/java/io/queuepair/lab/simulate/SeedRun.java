// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulate;

import io.queuepair.lab.shard.RunTotals;
import java.util.List;

/** What the seeds of a command do, and what they have come to so far. */
interface SeedRun {
  /**
   * Runs a seed.
   *
   * @return which seed failed and how; null if it did not
   */
  String run(long seed);

  /** Reduces a seed that has failed, if that is wanted. */
  void shrink(long seed, String command, ShrinkConsole console);

  long packets();

  long failures();

  /** The sums, to be added to those of other parts of the run. */
  RunTotals totals(String command, long first, long last);

  /** For people. */
  List<String> summary();

  /** For programs. */
  String line();
}
