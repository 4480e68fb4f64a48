// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An archive of the classes that a device needs (class data sharing of the JVM), with which a
 * program starts in half the time. Made once for each user, by a JVM that runs {@link
 * ArchivedWork}: that of a program never ends in the way that writes archives.
 */
final class ClassArchive {
  private static final String FILE_NAME = "classes.jsa";
  private static final long SECONDS = 60;

  private ClassArchive() {}

  /**
   * The archive, made now unless it is in the cache.
   *
   * @param classPath of the JVM of programs; nothing is archived of directories
   * @param options of that JVM
   * @return null if there can be none; programs run without it
   */
  static Path in(CacheDirectory cache, List<String> classPath, List<String> options) {
    List<String> madeFrom = new ArrayList<>(options);
    madeFrom.add(System.getProperty("java.home"));
    madeFrom.add(System.getProperty("java.vm.version"));
    try {
      for (String entry : classPath) {
        Path file = Path.of(entry);
        if (!Files.isRegularFile(file)) {
          return null;
        }
        madeFrom.add(entry + " " + Files.size(file) + " " + Files.getLastModifiedTime(file));
      }
    } catch (IOException unreadable) {
      return null;
    }
    Path entry = cache.entry("classes", madeFrom, into -> make(classPath, options, into));
    Path archive = entry.resolve(FILE_NAME);
    return Files.exists(archive) ? archive : null;
  }

  /** Without an archive the entry stays empty: what fails once would fail each time. */
  private static void make(List<String> classPath, List<String> options, Path into)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add("-XX:ArchiveClassesAtExit=" + into.resolve(FILE_NAME));
    command.addAll(List.of("-cp", String.join(File.pathSeparator, classPath)));
    command.add(ArchivedWork.class.getName());
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(into.resolve("java.log").toFile())
            .start();
    try {
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        Files.deleteIfExists(into.resolve(FILE_NAME));
      }
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new NativeException("interrupted while classes were archived", interrupted);
    }
  }
}
