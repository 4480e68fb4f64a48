// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.states;

import io.queuepair.verbs.QpState;
import java.util.Optional;

/** Content of a {@link StatePicture} besides states and arrows. */
public interface PictureView {
  /** A link for a state; empty for none. */
  default Optional<String> link(QpState state) {
    return Optional.empty();
  }

  /** A link for an arrow; empty for none. */
  default Optional<String> link(QpState from, QpState to) {
    return Optional.empty();
  }

  /** A class of the style for a state; empty for the ordinary one. */
  default Optional<String> look(QpState state) {
    return Optional.empty();
  }

  /** A class of the style for an arrow; empty for the ordinary one. */
  default Optional<String> look(QpState from, QpState to) {
    return Optional.empty();
  }
}
