// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.states;

import io.queuepair.verbs.QpState;
import java.util.Optional;

/** Links and styles of a {@link StatePicture}. */
public interface PictureView {
  /** Link of a state; empty for none. */
  default Optional<String> link(QpState state) {
    return Optional.empty();
  }

  /** Link of an arrow; empty for none. */
  default Optional<String> link(QpState from, QpState to) {
    return Optional.empty();
  }

  /** CSS class of a state; empty for the default. */
  default Optional<String> look(QpState state) {
    return Optional.empty();
  }

  /** CSS class of an arrow; empty for the default. */
  default Optional<String> look(QpState from, QpState to) {
    return Optional.empty();
  }
}
