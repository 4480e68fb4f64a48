package io.queuepair.tools.bench;

import java.io.IOException;

/** One way to get a figure. */
interface Probe {
  /**
   * Measures once, from nothing.
   *
   * @return the figure, in the unit of its row
   */
  double measure(Effort effort) throws IOException;
}
