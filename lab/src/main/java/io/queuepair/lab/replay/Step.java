// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.replay;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * One recorded call.
 *
 * @param side who called: A, B, or a caller outside the emulator; empty if none
 * @param result what was recorded; null if the recording program did not live to see it
 */
record Step(int number, String side, String op, ObjectNode args, ObjectNode result) {
  /** {@return the operation as reports name it} */
  String call() {
    return side.isEmpty() ? op : side + "." + op;
  }

  /** A copy with another result. */
  Step withResult(ObjectNode other) {
    return new Step(number, side, op, args, other);
  }
}
