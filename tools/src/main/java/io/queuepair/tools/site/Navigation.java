// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import io.queuepair.tools.project.ProjectFiles;
import io.queuepair.tools.scenario.PageContent;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Top bar, table of contents, and links to the previous and the next page. */
public final class Navigation {
  private static final String LESSONS = "<a href=\"@UP@lessons/index.html\">Lessons</a>\n";
  private static final String PLAYGROUND = "<a href=\"@UP@playground\">Playground</a>\n";

  /** Index pages of the parts of the site that have an entry in the bar. */
  private static final List<String> PARTS =
      List.of(
          SitePaths.LESSONS + "README.md",
          SitePaths.RUNS,
          SitePaths.TUTORIAL + "README.md",
          "docs/lookup/README.md",
          "docs/debugging.md",
          "README.md");

  /** Parts without a table of contents on their pages, as it would be too long. */
  private static final Set<String> UNLISTED = Set.of(SitePaths.RUNS, "docs/debugging.md");

  private static final Pattern SECTION = Pattern.compile("(?s)<h2 id=\"([^\"]*)\">(.*?)</h2>");

  /** Sequences of pages with links to the previous and next one. */
  private final List<List<String>> series;

  private final Map<String, MarkdownPage> pages;
  private final boolean isServed;

  Navigation(List<List<String>> series, Map<String, MarkdownPage> pages, boolean isServed) {
    this.series = series;
    this.pages = pages;
    this.isServed = isServed;
  }

  /** Bar of the playground, which is in the top folder of the site. */
  public static String ofPlayground() {
    return marked(bar("", PLAYGROUND), "playground", true);
  }

  private static String bar(String up, String own) {
    return ProjectFiles.read("navigation.html").replace("@PLAYGROUND@", own).replace("@UP@", up);
  }

  /** Marks the links to an address with aria-current: as the current page, or as its part. */
  private static String marked(String links, String address, boolean isPage) {
    String link = "href=\"" + address + "\"";
    String mark = " aria-current=\"" + (isPage ? "page" : "true") + "\"";
    return links.replace(link, link + mark);
  }

  /** Top bar; the part that contains the page is marked. */
  String bar(String source) {
    String up = SitePaths.up(SitePaths.htmlOf(source));
    String part = partOf(source);
    String own = pages.containsKey(PARTS.get(0)) ? LESSONS : "";
    return marked(
        bar(up, own + (isServed ? PLAYGROUND : "")),
        up + SitePaths.htmlOf(part),
        part.equals(source));
  }

  private String partOf(String source) {
    if (SitePaths.isScenario(source)) {
      return SitePaths.RUNS;
    }
    return PARTS.stream()
        .filter(pages::containsKey)
        .filter(part -> part.equals(source) || !entryOf(part, source).isEmpty())
        .findFirst()
        .orElse(source);
  }

  /** Entry for a page in a part: the page itself, or the index of its folder; empty if none. */
  private String entryOf(String part, String source) {
    Set<String> entries = pages.get(part).listed();
    String folder = source.substring(0, source.lastIndexOf('/') + 1) + "README.md";
    if (entries.contains(source)) {
      return source;
    }
    return entries.contains(folder) ? folder : "";
  }

  /** Table of contents: the pages of a part, with the sections of the current page. */
  String contents(String source) {
    String part = partOf(source);
    String up = SitePaths.up(SitePaths.htmlOf(source));
    String sections = sections(source);
    StringBuilder list = new StringBuilder();
    if (part.equals(SitePaths.FIRST)) {
      return "";
    }
    if (!UNLISTED.contains(part) && !part.equals(source)) {
      String current = entryOf(part, source);
      for (String entry : pages.get(part).listed()) {
        list.append("<li>").append(link("", up, entry, ""));
        list.append(entry.equals(current) ? sections : "").append("</li>\n");
      }
      String links = list.toString();
      String address = up + SitePaths.htmlOf(current);
      sections = "<ul>\n" + marked(links, address, current.equals(source)) + "</ul>\n";
    }
    return sections.isEmpty()
        ? ""
        : "<nav class=\"contents\" aria-label=\"contents\">\n" + sections + "</nav>\n";
  }

  private String sections(String source) {
    StringBuilder list = new StringBuilder();
    SECTION
        .matcher(pages.get(source).html())
        .results()
        .forEach(
            found ->
                list.append("<li><a href=\"#")
                    .append(found.group(1))
                    .append("\">")
                    .append(found.group(2).replaceAll("<[^>]*>", ""))
                    .append("</a></li>\n"));
    return list.isEmpty() ? "" : "<ul>\n" + list + "</ul>\n";
  }

  /** Links to the previous page, the next page, and the playground. */
  String related(String source) {
    String up = SitePaths.up(SitePaths.htmlOf(source));
    String links = neighbours(source, up) + edited(source, up);
    return links.isEmpty()
        ? ""
        : "<nav class=\"related\" aria-label=\"related\">\n" + links + "</nav>\n";
  }

  private String neighbours(String source, String up) {
    if (SitePaths.isSolution(source)) {
      return link(" rel=\"up\"", up, SitePaths.exerciseOf(source), "The exercise: ") + "\n";
    }
    StringBuilder links = new StringBuilder();
    for (List<String> sources : series) {
      int at = sources.indexOf(source);
      if (at > 0) {
        links.append(link(" rel=\"prev\"", up, sources.get(at - 1), "Previous: ")).append("\n");
      }
      if (at >= 0 && at + 1 < sources.size()) {
        links.append(link(" rel=\"next\"", up, sources.get(at + 1), "Next: ")).append("\n");
      }
    }
    return links.toString();
  }

  private String link(String relation, String up, String source, String label) {
    String title = PageContent.escaped(pages.get(source).title());
    String address = up + SitePaths.htmlOf(source);
    return "<a" + relation + " href=\"" + address + "\">" + label + title + "</a>";
  }

  /** Link to the playground, for a page with a scenario or exercise. */
  private String edited(String source, String up) {
    boolean isExercise = SitePaths.isExercise(source);
    boolean isEditable = isExercise || SitePaths.isScenario(source);
    if (!isServed || !isEditable) {
      return "";
    }
    String kind = isExercise ? "exercise" : "scenario";
    String name = SitePaths.nameOf(source);
    return "<a href=\"" + up + "playground?" + kind + "=" + name + "\">Edit and run</a>\n";
  }
}
