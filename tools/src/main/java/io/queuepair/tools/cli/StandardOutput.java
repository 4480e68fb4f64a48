// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;

/** Standard output that keeps the first write error, which a {@code PrintWriter} hides. */
public final class StandardOutput extends OutputStream {
  private static final int FAILED = 1;

  private final OutputStream stream;
  private IOException failure;

  public StandardOutput(OutputStream stream) {
    this.stream = stream;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      stream.write(bytes, offset, length);
    } catch (IOException unwritable) {
      if (failure == null) {
        failure = unwritable;
      }
      throw unwritable;
    }
  }

  /** Reports lost output, gives the exit code. A closed pipe is no failure. */
  public int report(PrintWriter err, int exitCode) {
    if (failure == null || ErrorReporter.isReaderGone(failure)) {
      return exitCode;
    }
    err.println("queuepair: standard output cannot be written: " + ErrorReporter.why(failure));
    return exitCode == 0 ? FAILED : exitCode;
  }
}
