// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import io.queuepair.emulator.fabric.FabricException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.zip.ZipException;

/**
 * The bytes of a capture file, in order, and error messages about them. A file compressed by gzip
 * is decompressed; offsets are then those of its contents.
 */
final class CaptureInput implements Closeable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final String name;
  private final InputStream bytes;
  private long offset;

  CaptureInput(String name, InputStream bytes) {
    this.name = name;
    try {
      this.bytes = CompressedInput.of(bytes);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** Offset of the next byte. */
  long offset() {
    return offset;
  }

  /**
   * Reads into a buffer that has an array, from index 0 on.
   *
   * @return the bytes read; less than asked for only at the end of the file
   */
  int read(ByteBuffer into, int length) {
    try {
      int count = bytes.readNBytes(into.array(), into.arrayOffset(), length);
      offset += count;
      return count;
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** Reads {@code length} bytes; at an early end the error names {@code what} and its offset. */
  void readAll(ByteBuffer into, int length, String what, long beginsAt) {
    if (read(into, length) < length) {
      throw endsWithin(what, beginsAt);
    }
  }

  /** Skips {@code count} bytes; at an early end the error names {@code what} and its offset. */
  void skipAll(long count, String what, long beginsAt) {
    ByteBuffer unused = ByteBuffer.allocate((int) Math.min(count, BUFFER_BYTES));
    for (long left = count; left > 0; left -= unused.capacity()) {
      readAll(unused, (int) Math.min(left, unused.capacity()), what, beginsAt);
    }
  }

  FabricException broken(long at, String fact) {
    return new FabricException(
        "The capture file " + name + " is broken at offset " + at + ": " + fact + ".", null);
  }

  FabricException endsWithin(String what, long beginsAt) {
    return new FabricException(
        "The capture file "
            + name
            + " ends at offset "
            + offset
            + ", within the "
            + what
            + " that begins at offset "
            + beginsAt
            + ".",
        null);
  }

  private FabricException unreadable(IOException cause) {
    return new FabricException(
        "The capture file "
            + name
            + " cannot be read behind offset "
            + offset
            + ": "
            + reasonOf(cause)
            + ".",
        cause);
  }

  /** The reason of an exception, in words: its message is often only the name of the file. */
  static String reasonOf(IOException cause) {
    if (cause instanceof EOFException) { // Thrown by GZIPInputStream only.
      return "the gzip stream ends early";
    }
    if (cause instanceof ZipException) {
      return "the gzip stream is broken: " + cause.getMessage();
    }
    if (cause instanceof NoSuchFileException) {
      return "there is no such file or folder";
    }
    if (cause instanceof AccessDeniedException) {
      return "access is denied";
    }
    if (cause instanceof FileNotFoundException && cause.getMessage() != null) {
      return cause.getMessage().replaceFirst("(?s).* \\((.*)\\)", "$1"); // After the file name.
    }
    String reason =
        cause instanceof FileSystemException ofFile ? ofFile.getReason() : cause.getMessage();
    return reason == null ? "the system does not say why" : reason;
  }

  @Override
  public void close() throws IOException {
    bytes.close();
  }
}
