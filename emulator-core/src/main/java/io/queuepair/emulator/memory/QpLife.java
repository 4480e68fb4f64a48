package io.queuepair.emulator.memory;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * One life of a queue pair, from one RESET to the next: a window of type 2 is open to the one that
 * it was bound in, and is released when it ends.
 */
public final class QpLife {
  private final Set<RemoteWindow> windows = new LinkedHashSet<>(0);

  void add(RemoteWindow window) {
    windows.add(window);
  }

  void remove(RemoteWindow window) {
    windows.remove(window);
  }

  /** Releases the windows of type 2 that are bound: RESET does, and so does destruction. */
  public void end() {
    List.copyOf(windows).forEach(RemoteWindow::unbind);
  }
}
