// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/** Buffered bytes of a file or a named pipe, decompressed if gzip has compressed them. */
public final class CompressedInput {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int GZIP_MAGIC = 0x1f8b;

  private CompressedInput() {}

  /**
   * Looks at the first bytes, and decompresses all if they are those of gzip.
   *
   * @param raw the file's bytes, which are closed with the result
   * @return the bytes, or those that they are decompressed to
   * @throws IOException if they cannot be read, or begin like gzip and are something else
   */
  public static InputStream of(InputStream raw) throws IOException {
    BufferedInputStream buffered = new BufferedInputStream(new SequentialInput(raw), BUFFER_BYTES);
    buffered.mark(Short.BYTES);
    int magic = buffered.read() << Byte.SIZE | buffered.read();
    buffered.reset();
    return magic == GZIP_MAGIC ? new GZIPInputStream(buffered, BUFFER_BYTES) : buffered;
  }

  /** Bytes of a named pipe, too: its stream of java.nio fails when asked whether there are more. */
  private static final class SequentialInput extends FilterInputStream {
    SequentialInput(InputStream bytes) {
      super(bytes);
    }

    @Override
    public int available() {
      try {
        return super.available();
      } catch (IOException noSeek) {
        return 1; // The next read says whether there is one.
      }
    }
  }
}
