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
 * Links from a picture of the states to their pages; highlights the current state or transition.
 *
 * @param type type of queue pair whose transitions the arrows link to
 * @param here state of the current page, or both states of a transition
 */
record StateLinks(QpType type, List<QpState> here) implements PictureView {
  private static final Optional<String> HERE = Optional.of("here");

  /** Picture, as HTML, on the page of a type, a state or a transition. */
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

  static String nameOf(QpState state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  static String nameOf(QpType type) {
    return type.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

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
