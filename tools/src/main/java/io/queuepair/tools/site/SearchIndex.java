// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.queuepair.tools.project.ProjectFiles;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the search knows: of each page its title, address, description, other names and words. */
final class SearchIndex {
  private static final String ENDING = ".html";

  private final ArrayNode entries = JsonNodeFactory.instance.arrayNode();

  /** Names by the address of a page, or by a folder and {@code *}, which stands for its pages. */
  private final Map<String, List<String>> aliases = new LinkedHashMap<>();

  SearchIndex() {
    for (String line : ProjectFiles.read("aliases.tsv").lines().toList()) {
      String[] row = line.split("\t", -1);
      aliases.put(row[0], List.of(row[1].split("; ", -1)));
    }
  }

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
    ArrayNode names = entries.addArray().add(title).add(address).add(description).addArray();
    aliases.forEach(
        (place, given) -> {
          String folder = place.replace("*", "");
          if (place.equals(address)) {
            given.forEach(names::add);
          } else if (place.endsWith("*") && address.startsWith(folder)) {
            String name = address.substring(folder.length()).replace(ENDING, "");
            given.forEach(alias -> names.add(alias.replace("*", name.toUpperCase(Locale.ROOT))));
          }
        });
    ((ArrayNode) entries.get(entries.size() - 1)).add(text);
  }

  /** The entries as a script. */
  String script() {
    return "const pages = " + entries + ";\n";
  }
}
