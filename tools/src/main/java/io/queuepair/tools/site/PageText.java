// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Text of a generated page: Markdown with HTML blocks. */
final class PageText {
  private final String source;
  private final StringBuilder text = new StringBuilder();

  private PageText(String source) {
    this.source = source;
  }

  /** Creates the page of one topic. */
  static PageText of(String folder, String name) {
    return new PageText("docs/" + folder + "/" + name.toLowerCase(Locale.ROOT) + ".md");
  }

  /** Link to the page of one topic, from another folder of the docs. */
  static String link(String folder, String name) {
    return "[" + name + "](../" + folder + "/" + name.toLowerCase(Locale.ROOT) + ".md)";
  }

  /** Creates the index page of a folder. */
  static PageText index(String folder) {
    return new PageText("docs/" + folder + "/README.md");
  }

  /** Path of the page in the project, where no such file exists. */
  String source() {
    return source;
  }

  /** Adds a block: a paragraph, a heading, a list, or HTML without empty lines. */
  PageText add(Object... parts) {
    text.append(text.isEmpty() ? "" : "\n");
    Arrays.stream(parts).forEach(text::append);
    text.append('\n');
    return this;
  }

  PageText head(Object... names) {
    text.append('\n');
    row(names);
    text.append("|---".repeat(names.length)).append("|\n");
    return this;
  }

  PageText row(Object... cells) {
    text.append(
        Arrays.stream(cells).map(String::valueOf).collect(Collectors.joining(" | ", "| ", " |\n")));
    return this;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
