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

/** Adds links to the glossary for the terms in a text. */
final class TermLinks {
  private final Map<String, String> pages;

  /** Pattern of all terms; null if there are none. */
  private final Pattern terms;

  /**
   * Creates the links.
   *
   * @param pages addresses of explanations by term
   */
  TermLinks(Map<String, String> pages) {
    this.pages = pages;
    List<String> longestFirst = new ArrayList<>(pages.keySet());
    longestFirst.sort(Comparator.comparingInt(String::length).reversed());
    String any = String.join("|", longestFirst.stream().map(Pattern::quote).toList());
    terms = pages.isEmpty() ? null : Pattern.compile("(?<![\\w-])(?:" + any + ")s?(?![\\w-])");
  }

  /** Begins the texts of one step, in which each page is linked once. */
  Links begin() {
    return new Links();
  }

  /** Links in the texts of one step. */
  final class Links {
    private final Set<String> linked = new HashSet<>();

    /** Text with links, as HTML. */
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

    /** Address for a term or its plural. */
    private String pageOf(String found) {
      String page = pages.get(found);
      return page == null ? pages.get(found.substring(0, found.length() - 1)) : page;
    }
  }
}
