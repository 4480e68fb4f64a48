// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** A file that a command writes: the new content, or if that fails what was there before. */
public final class OutputFile {
  private OutputFile() {}

  /**
   * Refuses a file that cannot be written, before work begins whose result it is to have. Nothing
   * changes.
   */
  public static void probe(CommandLine command, Path file) {
    try {
      if (Files.isDirectory(file)) {
        throw new IOException("it is a directory");
      }
      if (Files.exists(file)) {
        requireWritable(file);
      } else {
        Files.newOutputStream(file).close();
        // Target of the link, if it is one.
        Files.delete(file.toRealPath());
      }
    } catch (IOException unwritable) {
      throw new ParameterException(command, sentence(file, unwritable), unwritable);
    }
  }

  private static void requireWritable(Path file) throws IOException {
    if (!Files.isWritable(file)) {
      throw new AccessDeniedException(file.toString());
    }
  }

  /**
   * Writes a file: it is created, or replaced as a whole. If that fails, what was there is there
   * still.
   */
  public static void write(Path file, String text) {
    try {
      boolean isThere = Files.isRegularFile(file);
      Path target = isThere ? file.toRealPath() : file;
      if (isThere && Files.isWritable(target.getParent())) {
        requireWritable(target);
        replace(target, text);
      } else {
        Files.writeString(target, text);
      }
    } catch (IOException unwritable) {
      throw new CommandFailure(sentence(file, unwritable), unwritable);
    }
  }

  private static void replace(Path file, String text) throws IOException {
    Path fresh = Files.createTempFile(file.getParent(), ".queuepair", null);
    try {
      // For the owner and the permissions.
      Files.copy(file, fresh, REPLACE_EXISTING, COPY_ATTRIBUTES);
      Files.writeString(fresh, text);
      move(fresh, file);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  private static void move(Path fresh, Path file) throws IOException {
    try {
      Files.move(fresh, file, ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException elsewhere) {
      Files.move(fresh, file, REPLACE_EXISTING);
    }
  }

  private static String sentence(Path file, IOException unwritable) {
    String why =
        unwritable instanceof NoSuchFileException
            ? "there is no such folder"
            : ErrorReporter.why(unwritable);
    return file + " cannot be written: " + why;
  }
}
