// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.coverage.CoverageGroup;
import io.queuepair.tools.states.PictureView;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import java.util.Optional;

/**
 * Numbers and shades on a picture: how often queue pairs were in each state, and made each
 * transition.
 *
 * @param coverage of the run
 * @param type whose queue pairs
 */
record CoverageView(Coverage coverage, QpType type) implements PictureView {
  private static final long SOME = 10;
  private static final long MANY = 100;

  private long hits(QpState state) {
    return coverage.hits(CoverageGroup.STATE).getOrDefault(type + " " + state, 0L);
  }

  /** The number of a transition, or empty if the devices of the run can never make it. */
  private Optional<Long> hits(QpState from, QpState to) {
    String name = type + " " + from + " -> " + to;
    long hits = coverage.hits(CoverageGroup.TRANSITION).getOrDefault(name, 0L);
    boolean isNever = coverage.unreachable(CoverageGroup.TRANSITION).containsKey(name);
    return isNever && hits == 0 ? Optional.empty() : Optional.of(hits);
  }

  /** The class of the style for a number. */
  private static String shade(long hits) {
    if (hits == 0) {
      return "missing";
    }
    if (hits < SOME) {
      return "met1";
    }
    return hits < MANY ? "met2" : "met3";
  }

  @Override
  public Optional<String> look(QpState state) {
    return Optional.of(shade(hits(state)));
  }

  @Override
  public Optional<String> look(QpState from, QpState to) {
    return hits(from, to).map(CoverageView::shade);
  }

  @Override
  public Optional<String> note(QpState state) {
    return Optional.of(Long.toString(hits(state)));
  }

  @Override
  public Optional<String> note(QpState from, QpState to) {
    return Optional.of(hits(from, to).map(number -> Long.toString(number)).orElse(""));
  }
}
