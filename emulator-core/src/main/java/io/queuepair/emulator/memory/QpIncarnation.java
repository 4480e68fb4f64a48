// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Lifetime of a queue pair from one RESET to the next. A type 2 window belongs to the incarnation
 * in which it was bound, and is released when it ends.
 */
public final class QpIncarnation {
  /** Bound windows of type 2. Shared and empty until the first: most queue pairs have none. */
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

  /** Unbinds the windows of type 2, at RESET and destruction. */
  public void end() {
    List.copyOf(windows).forEach(MemoryWindowState::unbind);
  }
}
