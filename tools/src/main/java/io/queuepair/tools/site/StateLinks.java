// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import io.queuepair.tools.states.PictureView;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import java.util.Locale;
import java.util.Optional;

/**
 * Leads from a picture of the states to their pages, and marks the one that a page is about.
 *
 * @param type whose transitions the arrows lead to
 * @param marks how states and arrows are drawn
 */
record StateLinks(QpType type, PictureView marks) implements PictureView {
  private static final Optional<String> HERE = Optional.of("here");

  /** A picture of a page about a type. */
  static StateLinks of(QpType type) {
    return new StateLinks(type, new PictureView() {});
  }

  /** A picture of a page about a state. */
  static StateLinks at(QpType type, QpState here) {
    return new StateLinks(
        type,
        new PictureView() {
          @Override
          public Optional<String> look(QpState state) {
            return state == here ? HERE : Optional.empty();
          }
        });
  }

  /** A picture of a page about a transition. */
  static StateLinks at(QpType type, QpState fromHere, QpState toHere) {
    return new StateLinks(
        type,
        new PictureView() {
          @Override
          public Optional<String> look(QpState state) {
            return state == fromHere || state == toHere ? HERE : Optional.empty();
          }

          @Override
          public Optional<String> look(QpState from, QpState to) {
            return from == fromHere && to == toHere ? HERE : Optional.empty();
          }
        });
  }

  /** The name of the page of a state. */
  static String nameOf(QpState state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  /** The name of the page of a type. */
  static String nameOf(QpType type) {
    return type.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The name of the page of a transition. */
  static String nameOf(QpType type, QpState from, QpState to) {
    return nameOf(type) + "-" + nameOf(from) + "-to-" + nameOf(to);
  }

  @Override
  public Optional<String> link(QpState state) {
    return Optional.of(nameOf(state) + ".html");
  }

  @Override
  public Optional<String> link(QpState from, QpState to) {
    return Optional.of(nameOf(type, from, to) + ".html");
  }

  @Override
  public Optional<String> look(QpState state) {
    return marks.look(state);
  }

  @Override
  public Optional<String> look(QpState from, QpState to) {
    return marks.look(from, to);
  }

  @Override
  public Optional<String> note(QpState state) {
    return marks.note(state);
  }

  @Override
  public Optional<String> note(QpState from, QpState to) {
    return marks.note(from, to);
  }
}
