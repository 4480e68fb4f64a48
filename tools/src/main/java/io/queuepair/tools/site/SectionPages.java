// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import io.queuepair.tools.project.MarkdownTable;
import io.queuepair.tools.project.ProjectFiles;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Pages that are the sections of a page of the reference, which is written by hand. */
final class SectionPages {
  private SectionPages() {}

  /** The parts of a page by their headings; the first is what stands below its title. */
  static Map<String, String> sections(String source) {
    Map<String, String> sections = new LinkedHashMap<>();
    for (String part : ProjectFiles.page(source).substring("# ".length()).split("\n## ", -1)) {
      int end = part.indexOf('\n');
      String text = part.substring(end).strip() + "\n";
      sections.put(part.substring(0, end), MarkdownTable.fromElsewhere(source, text));
    }
    return sections;
  }

  /** A page for each section, and the list of them with what stands before the first. */
  static List<LookUpPage> of(String folder, String source) {
    List<LookUpPage> pages = new ArrayList<>();
    StringBuilder index = new StringBuilder();
    String up = "";
    for (Map.Entry<String, String> section : sections(source).entrySet()) {
      String title = section.getKey();
      String page = "# " + title + "\n\n" + section.getValue() + "\n";
      if (index.isEmpty()) {
        index.append(page).append("## Pages\n\n");
        up = "[" + title + "](README.md)\n";
      } else {
        String name = title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_ -]", "");
        String file = name.replace(' ', '-');
        pages.add(LookUpPage.of(folder, file, page + up));
        index.append("- [").append(title).append("](").append(file).append(".md)\n");
      }
    }
    pages.add(LookUpPage.index(folder, index.toString()));
    return pages;
  }
}
