// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A thread as the kernel sees it.
 *
 * @param stat its file {@code stat} in {@code /proc} (proc(5))
 */
record KernelThread(Path stat) {
  /** The calling thread. */
  static KernelThread current() {
    Path own = Path.of("/proc/thread-self/stat");
    try {
      return new KernelThread(own.toRealPath());
    } catch (IOException withoutProc) {
      return new KernelThread(own);
    }
  }

  /** Whether the thread waits for something else than a processor, as far as can be known. */
  boolean isWaiting() {
    try {
      String fields = Files.readString(stat);
      // The state follows the name, which is in parentheses and may have some.
      return fields.charAt(fields.lastIndexOf(')') + 2) != 'R';
    } catch (IOException unknown) {
      return true;
    }
  }
}
