// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/** The repository this build runs in: its root, its modules and its files. */
public final class SourceTree {
  /** The modules that are not for tests alone. */
  public static final List<String> MAIN_MODULES =
      List.of(
          "verbs-api",
          "emulator-core",
          "transport-udp",
          "bindings/disni",
          "bindings/native",
          "bindings/native-provider",
          "junit5",
          "tools",
          "lab");

  private SourceTree() {}

  /** The directory that holds the whole repository. */
  public static Path root() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve("bin/queuepair"))) {
      directory = directory.getParent();
      if (directory == null) {
        throw new IllegalStateException("no directory above this one holds bin/queuepair");
      }
    }
    return directory;
  }

  /** Every file whose name ends so, except build output and hidden directories. */
  public static List<Path> files(Path top, String ending) {
    List<Path> found = new ArrayList<>();
    try {
      Files.walkFileTree(top, new Collector(top, ending, found));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    found.sort(null);
    return found;
  }

  public static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(file.toString(), e);
    }
  }

  private static final class Collector extends SimpleFileVisitor<Path> {
    private final Path top;
    private final String ending;
    private final List<Path> found;

    Collector(Path top, String ending, List<Path> found) {
      this.top = top;
      this.ending = ending;
      this.found = found;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
      String name = directory.getFileName().toString();
      boolean isSkipped = !directory.equals(top) && (name.equals("target") || name.startsWith("."));
      return isSkipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      if (file.getFileName().toString().endsWith(ending)) {
        found.add(file);
      }
      return FileVisitResult.CONTINUE;
    }
  }
}
