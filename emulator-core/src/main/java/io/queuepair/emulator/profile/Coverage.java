package io.queuepair.emulator.profile;

import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How often a device, or several together, came across everything that there is: states,
 * transitions, opcodes, NAK codes, statuses, events, checks. A snapshot, which does not change.
 */
public final class Coverage {
  private final Map<CoverageAspect, Map<String, Long>> hits = new EnumMap<>(CoverageAspect.class);

  /** Coverage of nothing. */
  public Coverage() {}

  /**
   * This coverage with the hits of one aspect.
   *
   * @param aspect which
   * @param counts by name, in the order in which they are shown; also what was not hit
   * @return this coverage and those hits together
   */
  public Coverage with(CoverageAspect aspect, Map<String, Long> counts) {
    Coverage more = new Coverage();
    more.add(this);
    more.add(aspect, counts);
    return more;
  }

  /**
   * This coverage and another one together.
   *
   * @param other maybe of another device
   * @return both
   */
  public Coverage plus(Coverage other) {
    Coverage both = new Coverage();
    both.add(this);
    both.add(other);
    return both;
  }

  private void add(Coverage other) {
    other.hits.forEach(this::add);
  }

  private void add(CoverageAspect aspect, Map<String, Long> counts) {
    Map<String, Long> here = hits.computeIfAbsent(aspect, none -> new LinkedHashMap<>());
    counts.forEach((name, times) -> here.merge(name, times, Long::sum));
  }

  /**
   * The hits of one aspect.
   *
   * @param aspect which
   * @return by name, also what was not hit; not to be changed
   */
  public Map<String, Long> hits(CoverageAspect aspect) {
    return Collections.unmodifiableMap(hits.getOrDefault(aspect, Map.of()));
  }
}
