// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.states;

import io.queuepair.verbs.QpState;
import java.util.Optional;

/** Content of a {@link StatePicture} besides states and arrows. */
public interface PictureView {
  /**
   * Where a state leads.
   *
   * @param state which
   * @return a link; empty for none
   */
  default Optional<String> link(QpState state) {
    return Optional.empty();
  }

  /**
   * Where an arrow leads.
   *
   * @param from the state before
   * @param to the state after
   * @return a link; empty for none
   */
  default Optional<String> link(QpState from, QpState to) {
    return Optional.empty();
  }

  /**
   * How a state is drawn.
   *
   * @param state which
   * @return a class of the style of the picture; empty for the ordinary one
   */
  default Optional<String> look(QpState state) {
    return Optional.empty();
  }

  /**
   * How an arrow is drawn.
   *
   * @param from the state before
   * @param to the state after
   * @return a class of the style of the picture; empty for the ordinary one
   */
  default Optional<String> look(QpState from, QpState to) {
    return Optional.empty();
  }

  /**
   * Text below the name of a state, in place of what works in it.
   *
   * @param state which
   * @return a few words; empty for the ordinary ones
   */
  default Optional<String> note(QpState state) {
    return Optional.empty();
  }

  /**
   * Text at an arrow, in place of its required attributes.
   *
   * @param from the state before
   * @param to the state after
   * @return a few words; empty for the ordinary ones
   */
  default Optional<String> note(QpState from, QpState to) {
    return Optional.empty();
  }
}
