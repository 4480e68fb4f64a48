package io.queuepair.tools.fuzz;

import java.util.List;

/**
 * Datagrams that follow each other.
 *
 * @param shots in order
 * @param isTogether whether they arrive at once, before the device has answered the first
 * @param trouble what is wrong with the device meanwhile
 */
record Volley(List<Shot> shots, boolean isTogether, Trouble trouble) {
  /** What happens around a volley. */
  enum Trouble {
    NONE,
    /** The port is down. */
    PORT_DOWN,
    /** The device loses one of its addresses. */
    ADDRESS_GONE,
    /** A queue pair looks at all traffic of the port. */
    SNIFFED
  }
}
