// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The time of a queue pair from one RESET to the next. A type 2 window belongs to the incarnation
 * in which it was bound, and is released when it ends.
 */
public final class QpIncarnation {
  private final Set<MemoryWindowState> windows = new LinkedHashSet<>(0);

  void add(MemoryWindowState window) {
    windows.add(window);
  }

  void remove(MemoryWindowState window) {
    windows.remove(window);
  }

  /** Releases the windows of type 2 that are bound: RESET does, and so does destruction. */
  public void end() {
    List.copyOf(windows).forEach(MemoryWindowState::unbind);
  }
}
