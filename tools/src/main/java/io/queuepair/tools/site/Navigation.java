// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import io.queuepair.tools.project.ProjectFiles;
import io.queuepair.tools.scenario.PageContent;
import java.util.List;
import java.util.function.UnaryOperator;

/** The ways from a page to others, which stand above its text. */
public final class Navigation {
  private static final String PLAYGROUND = "<a href=\"@UP@playground\">Playground</a>\n";

  /** Pages that are read one after the other. */
  private final List<List<String>> series;

  private final UnaryOperator<String> titles;
  private final boolean isServed;

  /**
   * Creates the navigation of a site.
   *
   * @param series sources of pages that are read one after the other
   * @param titles the title of a source
   * @param isServed whether there is a playground
   */
  Navigation(List<List<String>> series, UnaryOperator<String> titles, boolean isServed) {
    this.series = series;
    this.titles = titles;
    this.isServed = isServed;
  }

  /** Navigation of the playground, which stands at the top of the site. */
  public static String ofPlayground() {
    return main("", true);
  }

  private static String main(String up, boolean isServed) {
    return ProjectFiles.read("navigation.html")
        .replace("@PLAYGROUND@", isServed ? PLAYGROUND : "")
        .replace("@UP@", up);
  }

  /** Navigation of a page: the entries of the site, the previous page and the next one. */
  String of(String source) {
    String html = SitePaths.htmlOf(source);
    String up = SitePaths.up(html);
    String related = neighbours(source) + edited(source);
    String second =
        related.isEmpty()
            ? ""
            : "<nav class=\"site\" aria-label=\"related\">\n"
                + related.replace("@UP@", up)
                + "</nav>\n";
    return main(up, isServed) + second;
  }

  private String neighbours(String source) {
    if (SitePaths.isSolution(source)) {
      return link("up", SitePaths.exerciseOf(source), "The exercise: ");
    }
    StringBuilder links = new StringBuilder();
    for (List<String> pages : series) {
      int at = pages.indexOf(source);
      if (at > 0) {
        links.append(link("prev", pages.get(at - 1), "Previous: "));
      }
      if (at >= 0 && at + 1 < pages.size()) {
        links.append(link("next", pages.get(at + 1), "Next: "));
      }
    }
    return links.toString();
  }

  private String link(String relation, String source, String label) {
    String title = PageContent.escaped(titles.apply(source));
    return "<a rel=\""
        + relation
        + "\" href=\"@UP@"
        + SitePaths.htmlOf(source)
        + "\">"
        + label
        + title
        + "</a>\n";
  }

  /** The way to the playground of what can be edited there. */
  private String edited(String source) {
    boolean isExercise = SitePaths.isExercise(source);
    boolean isEditable = isExercise || SitePaths.isScenario(source);
    if (!isServed || !isEditable) {
      return "";
    }
    String kind = isExercise ? "exercise" : "scenario";
    String name = SitePaths.nameOf(source);
    return "<a href=\"@UP@playground?" + kind + "=" + name + "\">Edit and run</a>\n";
  }
}
