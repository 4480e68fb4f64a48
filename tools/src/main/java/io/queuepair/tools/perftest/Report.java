package io.queuepair.tools.perftest;

import java.util.List;

/** Who is told of a run. */
interface Report {
  /** Both sides have agreed, and the own queue pairs exist. */
  default void begin(Agreement agreement, List<Destination> locals) {}

  /** The peer is known. */
  default void peers(List<Destination> peers) {}

  /** Messages of one size were measured. */
  default void add(Result result) {}

  /** All was measured. */
  default void end() {}
}
