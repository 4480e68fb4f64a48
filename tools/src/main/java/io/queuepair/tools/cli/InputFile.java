// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Reads text files of limited size as a whole. */
public final class InputFile {
  /** Size limit, a hundred times the largest expected file. */
  private static final int MOST_BYTES = 16 << 20;

  private InputFile() {}

  /**
   * Reads a text file.
   *
   * @throws IOException if it cannot be read, is no UTF-8 text, or is longer than 16 MiB; {@link
   *     ErrorReporter#why} returns the reason for users
   */
  public static String text(Path file) throws IOException {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(MOST_BYTES + 1);
    }
    if (bytes.length > MOST_BYTES) {
      throw new IOException("it is longer than " + (MOST_BYTES >> 20) + " MiB");
    }
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
  }

  public static List<String> lines(Path file) throws IOException {
    return text(file).lines().toList();
  }

  /** Creates the error for an argument that names an unreadable file. */
  public static ParameterException refusal(CommandLine command, Path file, IOException trouble) {
    return new ParameterException(
        command, "cannot read " + file + ": " + ErrorReporter.why(trouble), trouble);
  }
}
