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

/** Writes output files: a file gets the complete new content, or keeps the old one. */
public final class OutputFile {
  private OutputFile() {}

  /** Refuses a file that cannot be written, before any work for it. Changes nothing. */
  public static void probe(CommandLine command, Path file) {
    try {
      if (Files.isDirectory(file)) {
        throw new IOException("it is a directory");
      }
      if (Files.exists(file)) {
        requireWritable(file);
      } else {
        Files.newOutputStream(file).close();
        // Deletes the new file at the target of a symbolic link, not the link.
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

  /** Creates a file, or replaces it as a whole; a failure leaves the old content. */
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
      // Copies the owner and the permissions.
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
