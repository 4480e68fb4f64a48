// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import io.queuepair.tools.states.PictureView;
import io.queuepair.tools.states.StatePicture;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Leads from a picture of the states to their pages, and marks the one that a page is about.
 *
 * @param type whose transitions the arrows lead to
 * @param here the state that a page is about, or both of a transition
 */
record StateLinks(QpType type, List<QpState> here) implements PictureView {
  private static final Optional<String> HERE = Optional.of("here");

  /** The picture on a page about a type, a state or a transition, as markup. */
  static String picture(QpType type, QpState... here) {
    return "<div class=\"picture\" tabindex=\"0\" role=\"group\" aria-label=\"picture\">\n"
        + StatePicture.inPage(StateFacts.TABLE, type, new StateLinks(type, List.of(here)))
        + "</div>";
  }

  static String linkTo(QpState state) {
    return "[" + state + "](" + nameOf(state) + ".md)";
  }

  static String linkTo(QpType type) {
    return "[" + type + "](" + nameOf(type) + ".md)";
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
    return here.contains(state) ? HERE : Optional.empty();
  }

  @Override
  public Optional<String> look(QpState from, QpState to) {
    return here.equals(List.of(from, to)) ? HERE : Optional.empty();
  }
}
