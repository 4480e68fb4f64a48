// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.queuepair.testkit.states.StatePicture;
import io.queuepair.tools.scenario.PageContent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All pages of the site: those that can be reached from the first one. */
public final class Site {
  private static final String FIRST = "INDEX.md";
  private static final String GLOSSARY = "docs/glossary.md";
  private static final String LIST = SitePaths.SCENARIOS + "README.md";

  private final Map<String, String> files = new LinkedHashMap<>();
  private final Map<String, MarkdownPage> pages = new LinkedHashMap<>();
  private final List<String> scenarios;
  private final ScenarioIndex runs;
  private final Map<String, LookUpPage> lookUp;
  private final ArrayNode found = JsonNodeFactory.instance.arrayNode();

  private final boolean isServed;

  private Site(boolean isServed) {
    this.isServed = isServed;
    scenarios =
        MarkdownPage.of(LIST, ProjectFiles.page(LIST), ProjectFiles::hasPage).links().stream()
            .filter(SitePaths::isScenario)
            .distinct()
            .toList();
    runs = new ScenarioIndex(scenarios);
    lookUp = LookUp.pages(runs);
  }

  /** Runs every scenario and renders every page. The keys are paths below the site's folder. */
  static Map<String, String> files() {
    return files(false);
  }

  /** The same for a server that has a playground: pages have links to it. */
  public static Map<String, String> served() {
    return files(true);
  }

  /**
   * A scenario of the project, as it is edited: without what it expects.
   *
   * @param name the name of its page, without an ending
   * @return empty if there is none
   */
  public static Optional<String> scenario(String name) {
    String source = SitePaths.SCENARIOS + name + ".md";
    if (!name.matches("[a-z0-9-]+") || !ProjectFiles.hasPage(source)) {
      return Optional.empty();
    }
    String text = ProjectFiles.page(source);
    return Optional.of(text.substring(0, text.indexOf("\n```expected")));
  }

  private static Map<String, String> files(boolean isServed) {
    Site site = new Site(isServed);
    site.collect();
    site.pages.forEach(site::write);
    site.files.put("site.css", ProjectFiles.read("site.css") + StatePicture.style());
    site.files.put("search.js", ProjectFiles.read("search.js"));
    site.files.put("pages.js", "const pages = " + site.found + ";\n");
    return site.files;
  }

  /** Reads pages, and those they link to. */
  private void collect() {
    String list = ProjectFiles.page(LIST);
    String index = list.substring(list.indexOf("\n### "));
    String first = ProjectFiles.read("index.md") + index.replace("](", "](" + SitePaths.SCENARIOS);
    pages.put(FIRST, MarkdownPage.of(FIRST, first, this::hasPage));
    Deque<String> waiting = new ArrayDeque<>(pages.get(FIRST).links());
    while (!waiting.isEmpty()) {
      String source = waiting.remove();
      if (!pages.containsKey(source)) {
        MarkdownPage page = MarkdownPage.of(source, markdown(source), this::hasPage);
        pages.put(source, page);
        waiting.addAll(page.links());
      }
    }
  }

  private boolean hasPage(String source) {
    return lookUp.containsKey(source) || ProjectFiles.hasPage(source);
  }

  /** The text of a page; of a scenario, what stands before its commands. */
  private String markdown(String source) {
    if (lookUp.containsKey(source)) {
      return lookUp.get(source).markdown();
    }
    String text = ProjectFiles.page(source);
    return SitePaths.isScenario(source) ? text.substring(0, text.indexOf("```commands")) : text;
  }

  private void write(String source, MarkdownPage page) {
    String html = SitePaths.htmlOf(source);
    files.put(html, SitePaths.isScenario(source) ? player(source, page) : framed(source, page));
    found.addArray().add(page.title()).add(html).add(page.description());
    if (source.equals(GLOSSARY)) {
      page.terms()
          .forEach(
              (anchor, term) ->
                  found
                      .addArray()
                      .add(term)
                      .add(html + "#" + anchor)
                      .add("a term of the glossary"));
    }
  }

  private String framed(String source, MarkdownPage page) {
    String html = SitePaths.htmlOf(source);
    LookUpPage made = lookUp.get(source);
    String body = made == null ? page.html() : made.completed(page.html());
    boolean isFirst = html.equals(SitePaths.htmlOf(FIRST));
    return ProjectFiles.read("frame.html")
        .replace("@PLAYGROUND@", isServed ? "<a href=\"@UP@playground\">Playground</a>" : "")
        .replace("@UP@", SitePaths.up(html))
        .replace("@TITLE@", PageContent.escaped(page.title()))
        .replace("@DESCRIPTION@", PageContent.escaped(page.description()))
        .replace("@SEARCH@", isFirst ? ProjectFiles.read("search.html") : "")
        .replace("@BODY@", body);
  }

  private String player(String source, MarkdownPage page) {
    int at = scenarios.indexOf(source);
    String before = at > 0 ? neighbour("prev", scenarios.get(at - 1)) : "";
    boolean hasNext = at >= 0 && at + 1 < scenarios.size();
    String after = hasNext ? neighbour("next", scenarios.get(at + 1)) : "";
    String top =
        ProjectFiles.read("top.html")
            .replace("@PLAYGROUND@", isServed ? editLink(source) : "")
            .replace("@UP@", SitePaths.up(SitePaths.htmlOf(source)))
            .replace("@NEIGHBOURS@", before + after);
    // The heading is the player's.
    String text = page.html().replaceFirst("(?s)^<h1.*?</h1>\n", "");
    PageContent content = new PageContent(top, page.description(), text, false);
    return runs.run(source).page(content);
  }

  private static String editLink(String source) {
    String file = source.substring(SitePaths.SCENARIOS.length());
    String name = file.substring(0, file.length() - ".md".length());
    return "<a href=\"@UP@playground?scenario=" + name + "\">Edit and run</a>";
  }

  private String neighbour(String way, String source) {
    String name = source.substring(SitePaths.SCENARIOS.length());
    String title = PageContent.escaped(pages.get(source).title());
    String label = way.equals("next") ? "Next: " : "Previous: ";
    return "<a rel=\""
        + way
        + "\" href=\""
        + SitePaths.htmlOf(name)
        + "\">"
        + label
        + title
        + "</a>\n";
  }
}
