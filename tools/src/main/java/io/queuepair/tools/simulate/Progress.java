package io.queuepair.tools.simulate;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/** A bar on one line of a terminal that says how far a long run is. */
final class Progress {
  private static final int WIDTH = 40;
  private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

  /** Where the bar goes; null if nobody looks. */
  private final PrintWriter terminal;

  private final long seeds;
  private long done;
  private long packets;
  private int shownPercent = -1;

  Progress(PrintWriter terminal, long seeds) {
    this.terminal = terminal;
    this.seeds = seeds;
  }

  /** Whether standard error is a terminal; only Linux tells. */
  static boolean isTerminalThere() {
    try {
      String target = Files.readSymbolicLink(STANDARD_ERROR).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException unknown) {
      return false;
    }
  }

  /** Another seed is done. */
  void add(Outcome outcome) {
    done++;
    packets += outcome.packets();
    int percent = (int) (100 * done / seeds);
    if (terminal == null || percent == shownPercent) {
      return;
    }
    shownPercent = percent;
    int filled = WIDTH * percent / 100;
    String bar = "=".repeat(filled) + " ".repeat(WIDTH - filled);
    terminal.print("\r[" + bar + "] " + percent + " %, " + packets + " packets");
    terminal.flush();
  }

  /** Makes room for other lines. */
  void clear() {
    if (terminal != null && shownPercent >= 0) {
      terminal.print("\r" + " ".repeat(WIDTH + 40) + "\r");
      terminal.flush();
      shownPercent = -1;
    }
  }
}
