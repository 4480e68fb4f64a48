// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import java.util.List;

/** A listener for the results of a run. */
interface Report {
  /** Both sides have agreed, and the own queue pairs exist. */
  default void begin(NegotiatedParameters parameters, List<PeerQp> locals) {}

  /** The peer is known. */
  default void peers(List<PeerQp> peers) {}

  /** Messages of one size were measured. */
  default void add(Result result) {}

  /** All was measured. */
  default void end() {}
}
