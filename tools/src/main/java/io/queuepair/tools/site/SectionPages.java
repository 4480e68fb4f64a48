// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import io.queuepair.tools.project.MarkdownTable;
import io.queuepair.tools.project.ProjectFiles;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Pages made from the sections of a hand-written reference page. */
final class SectionPages {
  private SectionPages() {}

  /** Sections of a page by heading; the first one is the text below the title. */
  static Map<String, String> sections(String source) {
    Map<String, String> sections = new LinkedHashMap<>();
    for (String part : ProjectFiles.page(source).substring("# ".length()).split("\n## ", -1)) {
      int end = part.indexOf('\n');
      sections.put(
          part.substring(0, end), MarkdownTable.fromElsewhere(source, part.substring(end).strip()));
    }
    return sections;
  }

  /** Generates a page for each section, and an index page with the text before the first one. */
  static List<PageText> of(String folder, String source) {
    Map<String, String> sections = sections(source);
    String whole = sections.keySet().iterator().next();
    List<PageText> pages = new ArrayList<>();
    StringBuilder list = new StringBuilder();
    sections.forEach(
        (title, text) -> {
          String name =
              title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_ -]", "").replace(' ', '-');
          if (!title.equals(whole)) {
            list.append("- [").append(title).append("](").append(name).append(".md)\n");
            PageText page = PageText.of(folder, name).add("# ", title).add(text);
            pages.add(page.add("[", whole, "](README.md)"));
          }
        });
    PageText index = PageText.index(folder).add("# ", whole).add(sections.get(whole));
    pages.add(index.add("## Pages").add(list));
    return pages;
  }
}
