// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Log limited to 1 MiB, as a hostile program may cause line after line. */
final class LimitedLog extends FilterOutputStream {
  static final int MAX_BYTES = 1 << 20;

  private int bytes;

  LimitedLog(OutputStream log) {
    super(log);
  }

  @Override
  public void write(int octet) throws IOException {
    write(new byte[] {(byte) octet}, 0, 1);
  }

  @Override
  public synchronized void write(byte[] text, int at, int length) throws IOException {
    if (bytes > MAX_BYTES) {
      return;
    }
    bytes += length;
    if (bytes <= MAX_BYTES) {
      out.write(text, at, length);
    } else {
      out.write("\nqueuepair: the log is full\n".getBytes(StandardCharsets.US_ASCII));
    }
  }
}
