// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.coverage;

import io.queuepair.verbs.QpType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How often a device, or several together, covered each item of RDMA: states, transitions, opcodes,
 * NAK codes, statuses, events, checks. It also has the items that the device can never cover, and
 * why, so that it can tell what is missing. Immutable.
 */
public final class Coverage {
  private static final double ALL = 100;

  /** Counts by group and name. Inner maps never change once added, so coverages share them. */
  private final Map<CoverageGroup, Map<String, Count>> counts = new EnumMap<>(CoverageGroup.class);

  /** Creates an empty coverage. */
  public Coverage() {}

  /** How often an item was covered, and why the device can never cover it; null if it can. */
  private record Count(long times, @Nullable String unreachableReason) {
    boolean isPossible() {
      return unreachableReason == null;
    }

    boolean isHit() {
      return times > 0;
    }

    /** Whether adding the other count changes nothing. */
    boolean includes(Count other) {
      return other.times == 0 && (isPossible() || !other.isPossible());
    }

    /** Adds two counts; an item is possible if either device can cover it. */
    Count plus(Count other) {
      boolean isNever = !isPossible() && !other.isPossible();
      return new Count(times + other.times, isNever ? unreachableReason : null);
    }
  }

  /**
   * This coverage with the hits of one group.
   *
   * @param group which
   * @param hits by name, in the order in which they are shown; also what was not hit
   * @param never why the device can never cover some of them, by name
   * @return this coverage and those hits together
   */
  public Coverage with(CoverageGroup group, Map<String, Long> hits, Map<String, String> never) {
    Map<String, Count> newCounts = new LinkedHashMap<>(2 * hits.size());
    hits.forEach((name, times) -> newCounts.put(name, new Count(times, never.get(name))));
    Coverage coverage = new Coverage();
    coverage.add(this);
    coverage.add(group, newCounts);
    return coverage;
  }

  /**
   * This coverage with more hits of one group. What can never be covered stays so.
   *
   * @param group which
   * @param hits by name; names that are not there yet come last
   * @return this coverage and those hits together
   */
  public Coverage withHits(CoverageGroup group, Map<String, Long> hits) {
    Map<String, Count> newCounts = new LinkedHashMap<>();
    hits.forEach((name, times) -> newCounts.put(name, new Count(times, reason(group, name))));
    Coverage coverage = new Coverage();
    coverage.add(this);
    coverage.add(group, newCounts);
    return coverage;
  }

  private @Nullable String reason(CoverageGroup group, String name) {
    Count count = of(group).get(name);
    return count == null ? null : count.unreachableReason;
  }

  /**
   * This coverage and another one together. An item is possible if either device can cover it.
   *
   * @param other possibly of another device
   * @return both
   */
  public Coverage plus(Coverage other) {
    Coverage both = new Coverage();
    both.add(this);
    both.add(other);
    return both;
  }

  /**
   * The part of it that is about queue pairs of one type: its states, transitions and opcodes. The
   * other groups are not counted by type and stay as they are.
   *
   * @param type of queue pairs
   * @return a coverage without the states, transitions and opcodes of other types
   */
  public Coverage of(QpType type) {
    Coverage part = new Coverage();
    counts.forEach(
        (group, groupCounts) -> {
          Map<String, Count> typeCounts = new LinkedHashMap<>(groupCounts);
          typeCounts.keySet().removeIf(name -> !group.isAbout(type, name));
          part.add(group, typeCounts);
        });
    return part;
  }

  private void add(Coverage other) {
    other.counts.forEach(this::add);
  }

  private void add(CoverageGroup group, Map<String, Count> groupCounts) {
    counts.merge(group, groupCounts, Coverage::sum);
  }

  private static Map<String, Count> sum(Map<String, Count> one, Map<String, Count> other) {
    Map<String, Count> both = null;
    for (Map.Entry<String, Count> more : other.entrySet()) {
      Count count = one.get(more.getKey());
      if (count == null || !count.includes(more.getValue())) {
        both = both == null ? new LinkedHashMap<>(one) : both;
        both.merge(more.getKey(), more.getValue(), Count::plus);
      }
    }
    return both == null ? one : both;
  }

  private Map<String, Count> of(CoverageGroup group) {
    return counts.getOrDefault(group, Map.of());
  }

  /**
   * The hits of one group.
   *
   * @param group which
   * @return by name, also what was not hit; not to be changed
   */
  public Map<String, Long> hits(CoverageGroup group) {
    Map<String, Long> hits = new LinkedHashMap<>();
    of(group).forEach((name, count) -> hits.put(name, count.times));
    return Collections.unmodifiableMap(hits);
  }

  /**
   * Names that the device can cover.
   *
   * @param group which
   * @return names, in the order in which they are shown
   */
  public List<String> possible(CoverageGroup group) {
    return names(group, Count::isPossible);
  }

  /**
   * Names that the device can never cover.
   *
   * @param group which
   * @return the reason by name; not to be changed
   */
  public Map<String, String> unreachable(CoverageGroup group) {
    Map<String, String> never = new LinkedHashMap<>();
    for (String name : names(group, count -> !count.isPossible())) {
      never.put(name, of(group).get(name).unreachableReason);
    }
    return Collections.unmodifiableMap(never);
  }

  /**
   * Whether no device was looked at.
   *
   * @return true if the coverage is empty
   */
  public boolean isEmpty() {
    return counts.isEmpty();
  }

  private void demandDevices() {
    if (isEmpty()) {
      throw new IllegalStateException(
          "no device was looked at: a gate comes after the devices, once they are closed");
    }
  }

  /**
   * Possible names that were not covered.
   *
   * @param group which
   * @return names, in the order in which they are shown
   * @throws IllegalStateException as {@link #missing()}
   */
  public List<String> missing(CoverageGroup group) {
    demandDevices();
    return missingOf(group);
  }

  private List<String> missingOf(CoverageGroup group) {
    return names(group, count -> count.isPossible() && !count.isHit());
  }

  /**
   * All possible items that were not covered.
   *
   * @return names by group; only groups that lack something
   * @throws IllegalStateException if no device was looked at, as when a gate is asked before the
   *     tests have run
   */
  public Map<CoverageGroup, List<String>> missing() {
    demandDevices();
    return byGroup(count -> count.isPossible() && !count.isHit());
  }

  /**
   * Names that were covered though declared impossible: an error of the emulator.
   *
   * @return names by group; empty unless there is such an error
   */
  public Map<CoverageGroup, List<String>> unexpectedHits() {
    return byGroup(count -> !count.isPossible() && count.isHit());
  }

  private Map<CoverageGroup, List<String>> byGroup(Predicate<Count> wanted) {
    Map<CoverageGroup, List<String>> namesByGroup = new EnumMap<>(CoverageGroup.class);
    for (CoverageGroup group : counts.keySet()) {
      List<String> names = names(group, wanted);
      if (!names.isEmpty()) {
        namesByGroup.put(group, names);
      }
    }
    return namesByGroup;
  }

  private List<String> names(CoverageGroup group, Predicate<Count> wanted) {
    List<String> names = new ArrayList<>();
    of(group)
        .forEach(
            (name, count) -> {
              if (wanted.test(count)) {
                names.add(name);
              }
            });
    return List.copyOf(names);
  }

  /**
   * Share of the possible items of a group that were covered.
   *
   * @param group which
   * @return 0 to 100, and 100 only if nothing is missing; 0 if no device was looked at
   */
  public double percent(CoverageGroup group) {
    return percent(possible(group).size(), missingOf(group).size());
  }

  /**
   * Share of all possible items that were covered.
   *
   * @return 0 to 100, and 100 only if nothing is missing; 0 if no device was looked at
   */
  public double percent() {
    int possible = 0;
    int missing = 0;
    for (CoverageGroup group : counts.keySet()) {
      possible += possible(group).size();
      missing += missingOf(group).size();
    }
    return percent(possible, missing);
  }

  private double percent(int possible, int missing) {
    if (isEmpty()) {
      return 0;
    }
    return possible == 0 ? ALL : ALL * (possible - missing) / possible;
  }
}
