// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.states;

import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.coverage.CoverageGroup;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import java.util.Optional;

/**
 * How often a run had queue pairs of a type in each state, and made each transition: numbers and
 * shades on a picture.
 *
 * @param coverage of the run
 * @param type whose queue pairs
 */
public record CoverageView(Coverage coverage, QpType type) implements PictureView {
  private static final long SOME = 10;
  private static final long MANY = 100;

  /**
   * How often queue pairs were in a state.
   *
   * @param state which
   * @return the number
   */
  public long hits(QpState state) {
    return coverage.hits(CoverageGroup.STATE).getOrDefault(name(state), 0L);
  }

  /**
   * How often a transition was made.
   *
   * @param from the state before
   * @param to the state after
   * @return the number, or empty if the devices of the run can never make it
   */
  public Optional<Long> hits(QpState from, QpState to) {
    String name = type + " " + from + " -> " + to;
    long hits = coverage.hits(CoverageGroup.TRANSITION).getOrDefault(name, 0L);
    boolean isNever = coverage.unreachable(CoverageGroup.TRANSITION).containsKey(name);
    return isNever && hits == 0 ? Optional.empty() : Optional.of(hits);
  }

  /**
   * The class of the style for a number.
   *
   * @param hits how often
   * @return missing, met1 for less than 10, met2 for less than 100, or met3
   */
  public static String shade(long hits) {
    if (hits == 0) {
      return "missing";
    }
    if (hits < SOME) {
      return "met1";
    }
    return hits < MANY ? "met2" : "met3";
  }

  private String name(QpState state) {
    return type + " " + state;
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
