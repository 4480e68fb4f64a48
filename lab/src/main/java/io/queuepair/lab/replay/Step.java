// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.replay;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Recorded call.
 *
 * @param side caller: A, B, or a caller outside the emulator; empty if the step has none
 * @param result recorded result; null if the recording program ended during the call
 */
record Step(int number, String side, String op, ObjectNode args, ObjectNode result) {
  /** {@return the name of the call in reports} */
  String call() {
    return side.isEmpty() ? op : side + "." + op;
  }

  Step withResult(ObjectNode other) {
    return new Step(number, side, op, args, other);
  }
}
