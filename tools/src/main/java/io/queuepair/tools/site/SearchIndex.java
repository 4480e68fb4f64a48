// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.queuepair.tools.project.ProjectFiles;

/** What the search knows: of each page its title, address, description, other names and words. */
final class SearchIndex {
  private final ArrayNode entries = JsonNodeFactory.instance.arrayNode();

  /** Adds a page. */
  void add(String html, MarkdownPage page) {
    String text =
        page.html()
            .replaceAll("<[^>]*>", " ")
            .replaceAll("\\s+", " ")
            .replace("&quot;", "\"")
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&amp;", "&");
    add(page.title(), html, page.description(), text);
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
                    String.join(" ", cells)));
  }

  private void add(String title, String address, String description, String text) {
    entries.addArray().add(title).add(address).add(description).add(text);
  }

  /** The entries as a script, with the other names of pages. */
  String script() {
    ArrayNode names = JsonNodeFactory.instance.arrayNode();
    ProjectFiles.read("aliases.tsv").lines().forEach(names::add);
    return "const pages = " + entries + ";\nconst aliases = " + names + ";\n";
  }
}
