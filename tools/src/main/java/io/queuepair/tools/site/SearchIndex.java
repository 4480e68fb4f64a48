// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.queuepair.tools.project.ProjectFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Index of the site's search: title, address, description, other names and words of each page. */
final class SearchIndex {
  /** Pages whose words are indexed elsewhere or are names of tests. */
  private static final String LISTED_ELSEWHERE =
      "states/.*-to-.*|reference/(conformance|pyverbs)-cases.*";

  /** SVG drawings and explained bytes, whose words are not indexed. */
  private static final Pattern DRAWN =
      Pattern.compile("(?s)<svg.*?</svg>|<div class=\"bytes\">.*?</details></div>");

  private static final Pattern HEADING = Pattern.compile("<h2.*?</h2>");

  private SearchIndex() {}

  /** Script with the index of all pages. */
  static String script(Map<String, MarkdownPage> pages) {
    ArrayNode entries = JsonNodeFactory.instance.arrayNode();
    List.copyOf(pages.keySet()).parallelStream()
        .map(source -> entries(source, pages.get(source)))
        .toList()
        .forEach(some -> some.forEach(entry -> entry.forEach(entries.addArray()::add)));
    ArrayNode names = JsonNodeFactory.instance.arrayNode();
    ProjectFiles.read("aliases.tsv").lines().forEach(names::add);
    return "const pages = " + entries + ";\nconst aliases = " + names + ";\n";
  }

  /** Entries of a page; the glossary has one for each row too. */
  private static List<List<String>> entries(String source, MarkdownPage page) {
    String html = SitePaths.htmlOf(source);
    String headings =
        HEADING
            .matcher(page.html())
            .results()
            .map(MatchResult::group)
            .collect(Collectors.joining(" "));
    String text = html.matches(LISTED_ELSEWHERE) ? "" : text(page.html());
    List<List<String>> entries = new ArrayList<>();
    entries.add(List.of(page.title(), html, page.description(), text, text(headings)));
    if (source.equals(Site.GLOSSARY)) {
      page.rows()
          .forEach(
              (anchor, cells) -> {
                String place = html + "#" + anchor;
                String meaning = "Glossary: " + cells.get(1);
                entries.add(List.of(cells.get(0), place, meaning, String.join(" ", cells), ""));
              });
    }
    return entries;
  }

  private static String text(String html) {
    return DRAWN
        .matcher(html)
        .replaceAll(" ")
        .replaceAll("<[^>]*>", " ")
        .replaceAll("\\s+", " ")
        .replace("&quot;", "\"")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&");
  }
}
