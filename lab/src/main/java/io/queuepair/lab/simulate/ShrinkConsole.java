// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulate;

import io.queuepair.tools.cli.Interruption;
import io.queuepair.tools.cli.ProgressBar;
import java.io.PrintWriter;
import java.util.concurrent.CancellationException;

/** Output of a failure and its reduction, which the user may interrupt. */
record ShrinkConsole(PrintWriter out, ProgressBar progress, Interruption interruption) {
  boolean isInterrupted() {
    return interruption.isRequested();
  }

  /** Shows progress; throws {@link CancellationException} if the user has interrupted. */
  void show(double done, String text) {
    if (isInterrupted()) {
      throw new CancellationException();
    }
    progress.show(done, text);
  }

  void failed(String failure, String command) {
    progress.clear();
    out.println(failure);
    out.println("  replay: " + command);
  }

  void reduced(String size, int runs) {
    progress.clear();
    out.println("  reduced to " + size + " in " + runs + " runs");
  }

  void interrupted() {
    progress.clear();
    out.println("  interrupted before it was reduced");
  }
}
