// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.recording;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Operation that makes one kind of recorded call on the emulated device. */
@FunctionalInterface
public interface Op {
  /**
   * Makes the call.
   *
   * @param recorded the recorded result; used only for bytes that differ from run to run
   */
  ObjectNode run(RecordedDevice device, RecordedArgs args, ObjectNode recorded);
}
