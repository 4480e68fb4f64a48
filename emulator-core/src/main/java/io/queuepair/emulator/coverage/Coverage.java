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
 * NAK codes, statuses, events, checks. It also knows what the device can never cover, and why, so
 * that it can say what is missing. A snapshot, which does not change.
 */
public final class Coverage {
  private static final double ALL = 100;

  /** By aspect and name. No inner map changes once it is here, so several coverages share it. */
  private final Map<CoverageGroup, Map<String, Count>> counts = new EnumMap<>(CoverageGroup.class);

  /** Coverage of nothing. */
  public Coverage() {}

  /** How often, and why it cannot be; null if it can. */
  private record Count(long times, @Nullable String unreachableReason) {
    boolean isPossible() {
      return unreachableReason == null;
    }

    boolean isHit() {
      return times > 0;
    }

    /** Whether the other adds nothing. */
    boolean includes(Count other) {
      return other.times == 0 && (isPossible() || !other.isPossible());
    }

    /** Two devices together can do all that either can. */
    Count plus(Count other) {
      boolean isNever = !isPossible() && !other.isPossible();
      return new Count(times + other.times, isNever ? unreachableReason : null);
    }
  }

  /**
   * This coverage with the hits of one aspect.
   *
   * @param aspect which
   * @param hits by name, in the order in which they are shown; also what was not hit
   * @param never why the device can never cover some of them, by name
   * @return this coverage and those hits together
   */
  public Coverage with(CoverageGroup aspect, Map<String, Long> hits, Map<String, String> never) {
    Map<String, Count> added = new LinkedHashMap<>(2 * hits.size());
    hits.forEach((name, times) -> added.put(name, new Count(times, never.get(name))));
    Coverage more = new Coverage();
    more.add(this);
    more.add(aspect, added);
    return more;
  }

  /**
   * This coverage with more hits of one aspect. What can never be covered stays so.
   *
   * @param aspect which
   * @param hits by name; names that are not there yet come last
   * @return this coverage and those hits together
   */
  public Coverage withHits(CoverageGroup aspect, Map<String, Long> hits) {
    Map<String, Count> added = new LinkedHashMap<>();
    hits.forEach((name, times) -> added.put(name, new Count(times, reason(aspect, name))));
    Coverage more = new Coverage();
    more.add(this);
    more.add(aspect, added);
    return more;
  }

  private @Nullable String reason(CoverageGroup aspect, String name) {
    Count known = of(aspect).get(name);
    return known == null ? null : known.unreachableReason;
  }

  /**
   * This coverage and another one together. What one of two devices can cover is possible.
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
   * other aspects are not counted by type and stay as they are.
   *
   * @param type of queue pairs
   * @return a coverage without the states, transitions and opcodes of other types
   */
  public Coverage of(QpType type) {
    Coverage part = new Coverage();
    counts.forEach(
        (aspect, all) -> {
          Map<String, Count> ofType = new LinkedHashMap<>(all);
          ofType.keySet().removeIf(name -> !aspect.isAbout(type, name));
          part.add(aspect, ofType);
        });
    return part;
  }

  private void add(Coverage other) {
    other.counts.forEach(this::add);
  }

  private void add(CoverageGroup aspect, Map<String, Count> more) {
    counts.merge(aspect, more, Coverage::sum);
  }

  private static Map<String, Count> sum(Map<String, Count> one, Map<String, Count> other) {
    Map<String, Count> both = null;
    for (Map.Entry<String, Count> more : other.entrySet()) {
      Count known = one.get(more.getKey());
      if (known == null || !known.includes(more.getValue())) {
        both = both == null ? new LinkedHashMap<>(one) : both;
        both.merge(more.getKey(), more.getValue(), Count::plus);
      }
    }
    return both == null ? one : both;
  }

  private Map<String, Count> of(CoverageGroup aspect) {
    return counts.getOrDefault(aspect, Map.of());
  }

  /**
   * The hits of one aspect.
   *
   * @param aspect which
   * @return by name, also what was not hit; not to be changed
   */
  public Map<String, Long> hits(CoverageGroup aspect) {
    Map<String, Long> hits = new LinkedHashMap<>();
    of(aspect).forEach((name, count) -> hits.put(name, count.times));
    return Collections.unmodifiableMap(hits);
  }

  /**
   * Names that the device can cover.
   *
   * @param aspect which
   * @return names, in the order in which they are shown
   */
  public List<String> possible(CoverageGroup aspect) {
    return names(aspect, Count::isPossible);
  }

  /**
   * Names that the device can never cover.
   *
   * @param aspect which
   * @return the reason by name; not to be changed
   */
  public Map<String, String> unreachable(CoverageGroup aspect) {
    Map<String, String> never = new LinkedHashMap<>();
    for (String name : names(aspect, count -> !count.isPossible())) {
      never.put(name, of(aspect).get(name).unreachableReason);
    }
    return Collections.unmodifiableMap(never);
  }

  /**
   * Whether no device was looked at.
   *
   * @return true if it is a coverage of nothing
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
   * Names that were possible and did not happen.
   *
   * @param aspect which
   * @return names, in the order in which they are shown
   * @throws IllegalStateException as {@link #missing()}
   */
  public List<String> missing(CoverageGroup aspect) {
    demandDevices();
    return missingOf(aspect);
  }

  private List<String> missingOf(CoverageGroup aspect) {
    return names(aspect, count -> count.isPossible() && !count.isHit());
  }

  /**
   * Everything that was possible and did not happen.
   *
   * @return names by aspect; only aspects that lack something
   * @throws IllegalStateException if no device was looked at, as when a gate is asked before the
   *     tests have run
   */
  public Map<CoverageGroup, List<String>> missing() {
    demandDevices();
    return byGroup(count -> count.isPossible() && !count.isHit());
  }

  /**
   * Names that were met though held to be impossible: an error of the emulator.
   *
   * @return names by aspect; empty
   */
  public Map<CoverageGroup, List<String>> unexpectedHits() {
    return byGroup(count -> !count.isPossible() && count.isHit());
  }

  private Map<CoverageGroup, List<String>> byGroup(Predicate<Count> wanted) {
    Map<CoverageGroup, List<String>> found = new EnumMap<>(CoverageGroup.class);
    for (CoverageGroup aspect : counts.keySet()) {
      List<String> names = names(aspect, wanted);
      if (!names.isEmpty()) {
        found.put(aspect, names);
      }
    }
    return found;
  }

  private List<String> names(CoverageGroup aspect, Predicate<Count> wanted) {
    List<String> names = new ArrayList<>();
    of(aspect)
        .forEach(
            (name, count) -> {
              if (wanted.test(count)) {
                names.add(name);
              }
            });
    return List.copyOf(names);
  }

  /**
   * How much of what is possible happened.
   *
   * @param aspect which
   * @return 0 to 100, and 100 only if nothing is missing; 0 if no device was looked at
   */
  public double percent(CoverageGroup aspect) {
    return percent(possible(aspect).size(), missingOf(aspect).size());
  }

  /**
   * How much of everything that is possible happened.
   *
   * @return 0 to 100, and 100 only if nothing is missing; 0 if no device was looked at
   */
  public double percent() {
    int possible = 0;
    int missing = 0;
    for (CoverageGroup aspect : counts.keySet()) {
      possible += possible(aspect).size();
      missing += missingOf(aspect).size();
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
