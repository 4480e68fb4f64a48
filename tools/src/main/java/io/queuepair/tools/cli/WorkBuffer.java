// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import java.nio.ByteBuffer;

/** Allocates memory for messages. */
public final class WorkBuffer {
  private WorkBuffer() {}

  /** Allocates direct memory; throws {@link CommandFailure} if there is not enough. */
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
