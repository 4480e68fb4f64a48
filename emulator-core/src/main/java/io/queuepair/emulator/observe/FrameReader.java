// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import io.queuepair.emulator.fabric.FabricException;
import org.jspecify.annotations.Nullable;

/** The frames of a capture file, whatever its format. */
interface FrameReader {
  /**
   * The next frame.
   *
   * @return null at the end of the file
   * @throws FabricException if the file is broken here; reading cannot go on then
   */
  @Nullable CapturedFrame next();
}
