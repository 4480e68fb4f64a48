// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Shows the progress of a long run: on a terminal as a bar, painted at most four times a second;
 * elsewhere as a line every 30 seconds, so that the log of a build shows that the run continues.
 */
public final class ProgressBar {
  private static final int WIDTH = 30;
  private static final long REPAINT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
  private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

  private final PrintWriter err;
  private final boolean isTerminal;
  private final LongSupplier nanoClock;
  private final long startNanos;

  /** Time of the last output; valid if {@link #shownChars} is not 0, or if lines are printed. */
  private long shownNanos;

  /** Length of the text on the current line of the terminal; 0 if it is empty. */
  private int shownChars;

  ProgressBar(PrintWriter err, boolean isTerminal, LongSupplier nanoClock) {
    this.err = err;
    this.isTerminal = isTerminal;
    this.nanoClock = nanoClock;
    startNanos = nanoClock.getAsLong();
    shownNanos = startNanos;
  }

  /** Creates a bar on standard error, for a terminal or if {@code always} is true. */
  public static ProgressBar on(PrintWriter err, boolean always) {
    return new ProgressBar(err, always || isTerminalThere(), System::nanoTime);
  }

  /** Whether standard error is a terminal; always false on systems other than Linux. */
  private static boolean isTerminalThere() {
    try {
      String target = Files.readSymbolicLink(STANDARD_ERROR).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException unknown) {
      return false;
    }
  }

  /** Shows progress, rate and remaining time, unless just shown; the unit is a plural. */
  public void show(long done, long all, String unit, String text) {
    double seconds = (nanoClock.getAsLong() - startNanos) / 1e9;
    StringBuilder pace = new StringBuilder();
    if (done > 0 && seconds >= 1) {
      pace.append(", ").append(rate(done / seconds, unit));
      if (done < all) {
        pace.append(", ").append(duration(seconds / done * (all - done))).append(" left");
      }
    }
    show((double) done / all, done + " of " + all + " " + unit + pace + ", " + text);
  }

  /** Shows the progress, from 0 to 1, unless the last output is recent. */
  public void show(double share, String text) {
    long nowNanos = nanoClock.getAsLong();
    long sinceNanos = nowNanos - shownNanos;
    int percent = (int) (100 * share);
    if (!isTerminal) {
      if (sinceNanos >= LINE_NANOS) {
        shownNanos = nowNanos;
        err.println(percent + " %, " + text);
      }
      return;
    }
    if (shownChars > 0 && sinceNanos < REPAINT_NANOS && share < 1) {
      return;
    }
    int filled = WIDTH * percent / 100;
    String line =
        "[" + "=".repeat(filled) + " ".repeat(WIDTH - filled) + "] " + percent + " %, " + text;
    err.print("\r" + line + " ".repeat(Math.max(0, shownChars - line.length())));
    err.flush();
    shownNanos = nowNanos;
    shownChars = line.length();
  }

  /** Clears the bar before other output. */
  public void clear() {
    if (shownChars > 0) {
      err.print("\r" + " ".repeat(shownChars) + "\r");
      err.flush();
      shownChars = 0;
    }
  }

  private static String rate(double perSecond, String unit) {
    return perSecond >= 10
        ? Math.round(perSecond) + " " + unit + "/s"
        : String.format(Locale.ROOT, "%.1f %s/min", 60 * perSecond, unit);
  }

  private static String duration(double seconds) {
    long left = Math.round(seconds);
    if (left < 120) {
      return left + " s";
    }
    return left < 7_200 ? left / 60 + " min" : left / 3_600 + " h " + left / 60 % 60 + " min";
  }
}
