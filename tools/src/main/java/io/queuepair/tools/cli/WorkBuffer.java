// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import java.nio.ByteBuffer;

/** Where memory for messages comes from. */
public final class WorkBuffer {
  private WorkBuffer() {}

  /** Allocates memory for a device to use; the command fails if there is not so much. */
  public static ByteBuffer allocate(long bytes) {
    try {
      return ByteBuffer.allocateDirect(Math.toIntExact(bytes));
    } catch (OutOfMemoryError | ArithmeticException tooLarge) {
      throw new CommandFailure(
          "Couldn't allocate work buf: " + bytes + " bytes (see java -XX:MaxDirectMemorySize)",
          tooLarge);
    }
  }
}
