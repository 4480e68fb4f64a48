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
  /** Without any, one that all share: most queue pairs never have a window. */
  private Set<MemoryWindowState> windows = Set.of();

  void add(MemoryWindowState window) {
    if (windows.isEmpty()) {
      windows = new LinkedHashSet<>();
    }
    windows.add(window);
  }

  void remove(MemoryWindowState window) {
    if (!windows.isEmpty()) {
      windows.remove(window);
    }
  }

  /** Releases the windows of type 2 that are bound: RESET does, and so does destruction. */
  public void end() {
    List.copyOf(windows).forEach(MemoryWindowState::unbind);
  }
}
