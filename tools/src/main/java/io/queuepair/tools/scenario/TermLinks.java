// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes links of the terms that a glossary explains. */
final class TermLinks {
  private final Map<String, String> pages;

  /** Any of the terms; null if there are none. */
  private final Pattern terms;

  /** Creates links to where each term is explained. */
  TermLinks(Map<String, String> pages) {
    this.pages = pages;
    List<String> longestFirst = new ArrayList<>(pages.keySet());
    longestFirst.sort(Comparator.comparingInt(String::length).reversed());
    String any = String.join("|", longestFirst.stream().map(Pattern::quote).toList());
    terms = pages.isEmpty() ? null : Pattern.compile("(?<![\\w-])(?:" + any + ")s?(?![\\w-])");
  }

  /** The texts of one step: each page is linked once. */
  Links begin() {
    return new Links();
  }

  /** Which pages have a link. */
  final class Links {
    private final Set<String> linked = new HashSet<>();

    /** A text with links, as markup. */
    String of(String text) {
      if (terms == null) {
        return XmlWriter.escaped(text);
      }
      StringBuilder markup = new StringBuilder();
      Matcher term = terms.matcher(text);
      int at = 0;
      while (term.find()) {
        String page = pageOf(term.group());
        if (linked.add(page)) {
          markup.append(XmlWriter.escaped(text.substring(at, term.start())));
          XmlWriter link = new XmlWriter();
          link.element("a", term.group(), "class", "term", "href", page);
          markup.append(link);
          at = term.end();
        }
      }
      return markup.append(XmlWriter.escaped(text.substring(at))).toString();
    }

    /** Page of a term, or of its plural. */
    private String pageOf(String found) {
      String page = pages.get(found);
      return page == null ? pages.get(found.substring(0, found.length() - 1)) : page;
    }
  }
}
