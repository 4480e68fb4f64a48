// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.cmsimulation;

import java.util.Locale;

/** Results of a connection, as the active side sees them. */
public enum CmResult {
  /** Both sides were connected, or the service was found. */
  ESTABLISHED,
  /** The peer did not want it, or it was stale. */
  REJECTED,
  /** All tries were in vain, or the service was not found. */
  UNREACHABLE,
  /** The program destroyed the id before anything came of it. */
  GIVEN_UP,
  /** A side has not heard that the other one is gone. */
  UNAWARE,
  /** A host of it has died. */
  DIED;

  /** {@return under which name connections with this result are counted} */
  public String countName() {
    return "connections " + this;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
