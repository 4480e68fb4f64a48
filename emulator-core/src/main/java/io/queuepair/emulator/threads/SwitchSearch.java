// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.threads;

import io.queuepair.emulator.threads.Schedule.Switch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Tries all schedules in order of how many switches they have: none, then one, then two, and so on.
 * The first one that fails has the fewest. What a schedule may switch next is known from its run.
 */
final class SwitchSearch {
  private final int maxRuns;
  private final int limit;
  private final Deque<List<Switch>> pending = new ArrayDeque<>(List.of(List.of()));

  /**
   * A new search.
   *
   * @param limit how many switches are too many
   * @param maxRuns no more schedules than that wait for their runs
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

  /** The next run has failed: those with fewer switches have not. */
  void end() {
    pending.clear();
  }

  /** The next run has not failed in the way that is looked for. */
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
