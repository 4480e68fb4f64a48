// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.cmsimulation;

import java.util.Locale;

/** Outcomes of a connection, as the active side sees them. */
public enum CmResult {
  /** Both sides were connected, or the service was found. */
  ESTABLISHED,
  /** The passive side rejected the request, or it was stale. */
  REJECTED,
  /** All retries were exhausted, or the service was not found. */
  UNREACHABLE,
  /** The program destroyed the id before a result. */
  GIVEN_UP,
  /** One side did not learn that the other has gone. */
  UNAWARE,
  /** A host of the connection died. */
  DIED;

  /** {@return the name of the counter of connections with this result} */
  public String countName() {
    return "connections " + this;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
