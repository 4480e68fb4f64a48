// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.queuepair.tools.project.ProjectFiles;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What the search knows: of each page its title, address, description, other names and words. */
final class SearchIndex {
  /** Pages whose words are those of other pages, or of tests. */
  private static final String LISTED_ELSEWHERE =
      "states/.*-to-.*|reference/(conformance|pyverbs)-cases.*";

  private static final Pattern HEADING = Pattern.compile("<h2.*?</h2>");

  private final ArrayNode entries = JsonNodeFactory.instance.arrayNode();

  /** Adds a page. */
  void add(String html, MarkdownPage page) {
    String headings =
        HEADING
            .matcher(page.html())
            .results()
            .map(MatchResult::group)
            .collect(Collectors.joining(" "));
    String text = html.matches(LISTED_ELSEWHERE) ? "" : text(page.html());
    add(page.title(), html, page.description(), text, text(headings));
  }

  private static String text(String html) {
    return html.replaceAll("<[^>]*>", " ")
        .replaceAll("\\s+", " ")
        .replace("&quot;", "\"")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&");
  }

  /** Adds the rows of a page as what can be found in it. */
  void addTerms(String html, MarkdownPage page) {
    page.rows()
        .forEach(
            (anchor, cells) ->
                add(
                    cells.get(0),
                    html + "#" + anchor,
                    "Glossary: " + cells.get(1),
                    String.join(" ", cells),
                    ""));
  }

  private void add(String... entry) {
    ArrayNode fields = entries.addArray();
    List.of(entry).forEach(fields::add);
  }

  /** The entries as a script, with the other names of pages. */
  String script() {
    ArrayNode names = JsonNodeFactory.instance.arrayNode();
    ProjectFiles.read("aliases.tsv").lines().forEach(names::add);
    return "const pages = " + entries + ";\nconst aliases = " + names + ";\n";
  }
}
