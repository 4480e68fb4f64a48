// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import java.util.List;

/**
 * Datagrams that follow each other.
 *
 * @param shots in order
 * @param isTogether whether they arrive at once, before the device has answered the first
 * @param trouble what is wrong with the device meanwhile
 */
record InputSequence(List<Input> shots, boolean isTogether, InputFailure trouble) {
  /** What happens around a volley. */
  enum InputFailure {
    NONE,
    /** The port is down. */
    PORT_DOWN,
    /** The device loses one of its addresses. */
    ADDRESS_GONE,
    /** A queue pair looks at all traffic of the port. */
    SNIFFED
  }
}
