package io.queuepair.tools.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/** A bar on one line of a terminal that says how far a long run is. */
public final class ProgressBar {
  private static final int WIDTH = 40;
  private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

  /** Where the bar goes; null if nobody looks. */
  private final PrintWriter terminal;

  private int shownPercent = -1;

  private ProgressBar(PrintWriter terminal) {
    this.terminal = terminal;
  }

  /**
   * A bar on standard error.
   *
   * @param err standard error
   * @param always show it also if that is not a terminal
   * @return the bar, which shows nothing if nobody looks
   */
  public static ProgressBar on(PrintWriter err, boolean always) {
    return new ProgressBar(always || isTerminalThere() ? err : null);
  }

  /** Whether standard error is a terminal; only Linux tells. */
  private static boolean isTerminalThere() {
    try {
      String target = Files.readSymbolicLink(STANDARD_ERROR).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException unknown) {
      return false;
    }
  }

  /**
   * Shows how far the run is, if that is another percentage than before.
   *
   * @param share 0 to 1
   * @param text what has been done, a few words
   */
  public void show(double share, String text) {
    int percent = (int) (100 * share);
    if (terminal == null || percent == shownPercent) {
      return;
    }
    shownPercent = percent;
    int filled = WIDTH * percent / 100;
    String bar = "=".repeat(filled) + " ".repeat(WIDTH - filled);
    terminal.print("\r[" + bar + "] " + percent + " %, " + text);
    terminal.flush();
  }

  /** Makes room for other lines. */
  public void clear() {
    if (terminal != null && shownPercent >= 0) {
      terminal.print("\r" + " ".repeat(WIDTH + 60) + "\r");
      terminal.flush();
      shownPercent = -1;
    }
  }
}
