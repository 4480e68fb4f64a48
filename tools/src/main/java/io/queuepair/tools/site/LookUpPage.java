// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A page that is made of tables and runs, as Markdown.
 *
 * @param source its path among the pages of the project; there is no such file
 * @param markdown its text
 * @param pictures HTML by the name of its place: {@code {NAME}}, a paragraph of its own
 */
record LookUpPage(String source, String markdown, Map<String, String> pictures) {
  /** The page of one thing. */
  static LookUpPage of(String folder, String name, String markdown) {
    String source = "docs/" + folder + "/" + name.toLowerCase(Locale.ROOT) + ".md";
    return new LookUpPage(source, markdown, Map.of());
  }

  /** The list of all things of a folder. */
  static LookUpPage index(String folder, String markdown) {
    return new LookUpPage("docs/" + folder + "/README.md", markdown, Map.of());
  }

  /** A row of a table. */
  static String row(Object... cells) {
    return Arrays.stream(cells)
        .map(String::valueOf)
        .collect(Collectors.joining(" | ", "| ", " |\n"));
  }

  /** The head of a table. */
  static String head(Object... names) {
    return row(names) + "|---".repeat(names.length) + "|\n";
  }

  /** A copy with pictures in their places. */
  LookUpPage with(Map<String, String> drawn) {
    return new LookUpPage(source, markdown, Map.copyOf(drawn));
  }

  /** The page as HTML, with its pictures. */
  String completed(String html) {
    String whole = html;
    for (Map.Entry<String, String> picture : pictures.entrySet()) {
      String place = "<p>{" + picture.getKey() + "}</p>";
      boolean isDrawn = picture.getValue().startsWith("<svg");
      String figure =
          !isDrawn
              ? picture.getValue()
              : "<div class=\"picture\" tabindex=\"0\" role=\"group\" aria-label=\"picture\">\n"
                  + picture.getValue()
                  + "</div>";
      whole = whole.replace(place, figure);
    }
    return whole;
  }
}
