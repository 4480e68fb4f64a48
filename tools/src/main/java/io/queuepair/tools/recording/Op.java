// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.recording;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** How one kind of recorded call is made on the emulated device. */
@FunctionalInterface
public interface Op {
  /**
   * Makes the call.
   *
   * @param recorded what was recorded; only for bytes that no two runs share
   */
  ObjectNode run(RecordedDevice side, RecordedArgs args, ObjectNode recorded);
}
