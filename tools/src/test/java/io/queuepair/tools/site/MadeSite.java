// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import io.queuepair.tests.support.CommandRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The site, written once by the command for all tests that read it. */
final class MadeSite {
  /** Directory of the site, which the command made. */
  static final Path FOLDER = newFolder();

  /** Output of the command. */
  static final CommandRun RUN = CommandRun.of("site", FOLDER.toString());

  /** The text of each file, by its path. */
  static final Map<String, String> FILES = read();

  private MadeSite() {}

  private static Path newFolder() {
    try {
      return Files.createTempDirectory(Path.of("target"), "site").resolve("some/site");
    } catch (IOException unwritable) {
      throw new UncheckedIOException(unwritable);
    }
  }

  private static Map<String, String> read() {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> written = Files.walk(FOLDER)) {
      for (Path file : written.filter(Files::isRegularFile).toList()) {
        files.put(FOLDER.relativize(file).toString().replace('\\', '/'), Files.readString(file));
      }
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    return files;
  }
}
