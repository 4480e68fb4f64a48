// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.tools.cli.OutputFile;
import io.queuepair.tools.project.ProjectFiles;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The exercises of the tutorial. */
final class Exercises {
  private static final String FOLDER = "docs/exercises/";
  private static final String ENDING = ".md";
  private static final Pattern ENTRY = Pattern.compile("\\[([^]]+)]\\(([a-z0-9-]+)\\.md\\)");

  private Exercises() {}

  /** Their titles by their names, in the order of the chapters. */
  static Map<String, String> titles() {
    Map<String, String> titles = new LinkedHashMap<>();
    Matcher entry = ENTRY.matcher(read("README"));
    while (entry.find()) {
      titles.put(entry.group(2), entry.group(1));
    }
    return titles;
  }

  static void list(PrintWriter out) {
    titles().forEach((name, title) -> out.printf("%-24s %s%n", name, title));
  }

  /**
   * Writes an exercise as a file, to be completed.
   *
   * @param name one of {@link #titles()}
   * @throws CommandFailure if there is such a file already: it may be half done
   */
  static Path write(String name) {
    Path file = Path.of(name + ENDING);
    if (Files.exists(file)) {
      throw new CommandFailure(file + " is there already; move it away first");
    }
    OutputFile.write(file, read(name));
    return file;
  }

  private static String read(String name) {
    return ProjectFiles.page(FOLDER + name + ENDING);
  }
}
