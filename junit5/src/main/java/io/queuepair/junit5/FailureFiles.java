// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Directory of the captures and ladders of failed tests. One instance for a whole run. */
final class FailureFiles {
  private static final int MAX_NAME = 150;

  private final Path directory;

  /** Names of files that are in use or kept. */
  private final Set<String> names = new LinkedHashSet<>();

  FailureFiles(ExtensionContext context) {
    directory =
        context
            .getConfigurationParameter("queuepair.reports")
            .map(Path::of)
            .orElseGet(FailureFiles::besideTheReport)
            .toAbsolutePath();
  }

  /** Default directory. Maven and Gradle start tests in the directory of the project. */
  private static Path besideTheReport() {
    if (Files.exists(Path.of("pom.xml"))) {
      return Path.of("target", "surefire-reports");
    }
    boolean isGradle =
        Files.exists(Path.of("build.gradle")) || Files.exists(Path.of("build.gradle.kts"));
    return isGradle ? Path.of("build", "reports", "queuepair") : Path.of("queuepair-reports");
  }

  /**
   * Files for one network.
   *
   * @param suffix distinguishes several networks of one method; may be empty
   */
  Artifacts of(ExtensionContext context, String suffix) {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write reports to " + directory, e);
    }
    StringBuilder name = new StringBuilder();
    context.getTestClass().ifPresent(type -> name.append(type.getName()));
    context.getTestMethod().ifPresent(method -> name.append('.').append(method.getName()));
    name.append(suffix);
    String plain = name.toString().replaceAll("[^A-Za-z0-9._$-]", "_");
    return new Artifacts(reserve(plain.substring(Math.max(0, plain.length() - MAX_NAME))));
  }

  private synchronized String reserve(String wanted) {
    String name = wanted;
    for (int number = 2; !names.add(name); number++) {
      name = wanted + "-" + number;
    }
    return name;
  }

  private synchronized void release(String name) {
    names.remove(name);
  }

  /** The files of one network. */
  final class Artifacts {
    private final String name;

    private Artifacts(String name) {
      this.name = name;
    }

    Path capture() {
      return directory.resolve(name + ".pcapng");
    }

    Path ladder() {
      return directory.resolve(name + ".ladder.txt");
    }

    void writeLadder(List<String> lines) {
      try {
        Files.write(ladder(), lines);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot write " + ladder(), e);
      }
    }

    void delete() {
      try {
        Files.deleteIfExists(capture());
        Files.deleteIfExists(ladder());
      } catch (IOException e) {
        throw new UncheckedIOException("cannot delete " + capture(), e);
      }
      release(name);
    }
  }
}
