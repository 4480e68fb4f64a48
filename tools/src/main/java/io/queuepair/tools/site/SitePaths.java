// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import java.nio.file.Path;
import java.util.Locale;

/** Paths of the project's pages in the site. */
final class SitePaths {
  /** Path of the first page; no such file exists. */
  static final String FIRST = "INDEX.md";

  /** Path of the list of all runs; no such file exists. */
  static final String RUNS = "RUNS.md";

  static final String SCENARIOS = "docs/scenarios/";
  static final String EXERCISES = "docs/exercises/";
  static final String TUTORIAL = "docs/tutorial/";
  static final String LESSONS = "docs/lessons/";
  private static final String SOLUTIONS = "/solutions/";
  private static final String DOCS = "docs/";
  private static final String INDEX = "README.md";

  private SitePaths() {}

  /** Path of the HTML file of a Markdown file. */
  static String htmlOf(String source) {
    if (!source.startsWith(DOCS)) {
      String name = source.equals(INDEX) ? "about.md" : source.toLowerCase(Locale.ROOT);
      return withHtml(name);
    }
    String path = source.substring(DOCS.length());
    if (path.endsWith("/" + INDEX)) {
      path = path.substring(0, path.length() - INDEX.length()) + "index.md";
    }
    return withHtml(path);
  }

  private static String withHtml(String markdown) {
    return markdown.substring(0, markdown.length() - ".md".length()) + ".html";
  }

  /** Target of a link in a page, from the project's top folder. */
  static String resolve(String source, String link) {
    Path folder = Path.of("/" + source).getParent();
    return folder.resolve(link).normalize().toString().substring(1).replace('\\', '/');
  }

  /** Relative path from a page to the top folder of the site: {@code ../} for each folder. */
  static String up(String html) {
    return "../".repeat((int) html.chars().filter(sign -> sign == '/').count());
  }

  static boolean isScenario(String source) {
    return source.startsWith(SCENARIOS) && !source.endsWith(INDEX);
  }

  /** Whether a page is a chapter of the tutorial. */
  static boolean isChapter(String source) {
    return source.startsWith(TUTORIAL) && !source.endsWith(INDEX);
  }

  static boolean isExercise(String source) {
    return source.startsWith(EXERCISES) && !source.endsWith(INDEX) && !isSolution(source);
  }

  static boolean isSolution(String source) {
    return source.contains(SOLUTIONS);
  }

  /** Whether a page shows a run. */
  static boolean isPlayed(String source) {
    return isScenario(source) || isSolution(source);
  }

  static String exerciseOf(String solution) {
    return solution.replace(SOLUTIONS, "/");
  }

  /** File name without folder and extension. */
  static String nameOf(String source) {
    return source.substring(source.lastIndexOf('/') + 1, source.length() - ".md".length());
  }
}
