// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.threads;

import io.queuepair.emulator.threads.Schedule.Switch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Enumerates schedules by their number of switches: none, then one, then two, and so on. The first
 * one that fails has the fewest. The run of a schedule shows which switches can follow its last
 * one.
 */
final class SwitchSearch {
  private final int maxRuns;
  private final int limit;
  private final Deque<List<Switch>> pending = new ArrayDeque<>(List.of(List.of()));

  /**
   * Begins with the schedule without switches.
   *
   * @param limit number of switches that is too many
   * @param maxRuns maximum number of schedules that are kept for later runs
   */
  SwitchSearch(int limit, int maxRuns) {
    this.limit = limit;
    this.maxRuns = maxRuns;
  }

  boolean isOver() {
    return pending.isEmpty();
  }

  /** The switches of the next run. */
  List<Switch> next() {
    return pending.getFirst();
  }

  /** Ends the search: the run has failed, and no schedule of fewer switches has. */
  void end() {
    pending.clear();
  }

  /** Records that the run has not failed the same way; adds the schedules that continue it. */
  void passed(Schedule schedule) {
    List<Switch> oldSwitches = pending.removeFirst();
    if (oldSwitches.size() + 1 >= limit) {
      return;
    }
    for (Switch change : schedule.untaken()) {
      if (pending.size() == maxRuns) {
        return;
      }
      List<Switch> switches = new ArrayList<>(oldSwitches);
      switches.add(change);
      pending.add(switches);
    }
  }
}
