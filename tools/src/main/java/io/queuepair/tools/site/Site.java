// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.tools.demo.DemoCommand;
import io.queuepair.tools.project.ProjectFiles;
import io.queuepair.tools.scenario.ExplainedFrames;
import io.queuepair.tools.scenario.PageContent;
import io.queuepair.tools.scenario.ScenarioPlayer;
import io.queuepair.tools.scenario.Statement;
import io.queuepair.tools.states.StatePicture;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Generates the site: all pages that links reach from the first page. */
public final class Site {
  private static final String SEARCH = "SEARCH.md";
  static final String GLOSSARY = "docs/glossary.md";
  private static final String LIST = SitePaths.SCENARIOS + "README.md";

  /** List of runs in a chapter: its heading, and the address and title of the first run. */
  private static final Pattern RUN =
      Pattern.compile(
          "(?s)(<h2[^>]*>Watch</h2>\n)(<ul>.*?<a href=\"([^\"]*scenarios/[^\"]*)\">([^<]*)</a>)");

  /** Placeholder of a drawing of a scenario. */
  private static final Pattern PLACE = Pattern.compile("@(first-run[a-z-]*)@");

  /** Limit of steps of a lesson's run. */
  private static final int MOST_STEPS = 5_000;

  /** Name, without extension, of the stylesheet and the script of players. */
  public static final String PLAYER = "player";

  private final Map<String, String> files = new LinkedHashMap<>();
  private final Map<String, MarkdownPage> pages = new LinkedHashMap<>();
  private final ScenarioIndex runs;

  /** Text of generated pages, by paths at which no file exists. */
  private final Map<String, String> made;

  private final Navigation navigation;
  private final Content content;

  /**
   * Optional content of a site.
   *
   * @param isServed whether the site has a playground
   * @param hasSolutions whether exercises have solutions
   * @param lessons pages of a teacher, by path
   */
  record Content(boolean isServed, boolean hasSolutions, Map<String, String> lessons) {}

  private Site(Content content) {
    this.content = content;
    List<String> scenarios = listed(SitePaths.SCENARIOS, SitePaths::isScenario);
    List<String> chapters = listed(SitePaths.TUTORIAL, SitePaths::isChapter);
    List<String> exercises = listed(SitePaths.EXERCISES, SitePaths::isExercise);
    navigation = new Navigation(List.of(scenarios, chapters, exercises), pages, content.isServed());
    runs = new ScenarioIndex(scenarios);
    made = LookUp.pages(runs);
    String list = ProjectFiles.page(LIST);
    String runList =
        list.substring(list.indexOf("\n### "))
            .replace("\n### ", "\n## ")
            .replace("](", "](" + SitePaths.SCENARIOS);
    made.put(SitePaths.RUNS, ProjectFiles.read("runs.md") + runList);
    made.put(SitePaths.FIRST, firstPage());
    made.put(SEARCH, ProjectFiles.read("search.md") + "\n" + ProjectFiles.read("search.html"));
    made.put("CONNECTION.md", connection());
    List<String> explained = new ArrayList<>();
    made.put(
        "docs/demo.md",
        ProjectFiles.read("demo.md")
            .replace("@DEMO@", DemoCommand.output(explained::add))
            .replace("@EXPLAINED@", String.join("\n", explained)));
  }

  /** First page, with drawings of some runs. */
  private String firstPage() {
    String drawn =
        PLACE
            .matcher(ProjectFiles.read("first-run.html"))
            .replaceAll(found -> runs.run(SitePaths.SCENARIOS + found.group(1) + ".md").picture());
    return ProjectFiles.read("index.md").replace("{first-run}", drawn);
  }

  /** Page on one connection, with its frames in place of placeholders. */
  private static String connection() {
    String run = SitePaths.SCENARIOS + "one-connection.md";
    String page = ProjectFiles.read("connection.md");
    List<String> frames = ExplainedFrames.of(run, ProjectFiles.page(run).lines().toList());
    for (int i = 0; i < frames.size(); i++) {
      page = page.replace("{frame-" + (i + 1) + "}", frames.get(i));
    }
    return page + "\n<script src=\"bytes.js\" defer></script>\n";
  }

  /** Pages in the list of a folder, in its order. */
  private static List<String> listed(String folder, Predicate<String> isWanted) {
    String list = folder + "README.md";
    return MarkdownPage.of(list, ProjectFiles.page(list), false, ProjectFiles::hasPage)
        .links()
        .stream()
        .filter(isWanted)
        .distinct()
        .toList();
  }

  /** Generates the files for a server with a playground, to which pages have links. */
  public static Map<String, String> served() {
    return files(new Content(true, true, Map.of()));
  }

  /** Text of a scenario without its expected output; empty if there is none of that name. */
  public static Optional<String> scenario(String name) {
    return file(SitePaths.SCENARIOS, name)
        .map(text -> text.substring(0, text.indexOf("\n```expected")));
  }

  /** Text of an exercise; empty if there is none of that name. */
  public static Optional<String> exercise(String name) {
    return file(SitePaths.EXERCISES, name);
  }

  private static Optional<String> file(String folder, String name) {
    String source = folder + name + ".md";
    boolean isThere = name.matches("[a-z0-9-]+") && ProjectFiles.hasPage(source);
    return isThere ? Optional.of(ProjectFiles.page(source)) : Optional.empty();
  }

  /** Runs all scenarios and renders all pages; returns files by their paths in the site. */
  static Map<String, String> files(Content content) {
    Site site = new Site(content);
    site.collect();
    List<String> sources = List.copyOf(site.pages.keySet());
    List<String> written = sources.parallelStream().map(site::html).toList();
    for (int i = 0; i < sources.size(); i++) {
      site.files.put(SitePaths.htmlOf(sources.get(i)), written.get(i));
    }
    String style = ScenarioPlayer.theme() + ProjectFiles.read("site.css");
    site.files.put("site.css", style + ProjectFiles.read("figure.css") + StatePicture.style());
    site.files.put(PLAYER + ".css", ScenarioPlayer.style());
    site.files.put(PLAYER + ".js", ScenarioPlayer.script());
    for (String script : List.of("minisearch.js", "search.js", "first-run.js", "bytes.js")) {
      site.files.put(script, ProjectFiles.read(script));
    }
    site.files.put("pages.js", SearchIndex.script(site.pages));
    return site.files;
  }

  /** Reads the first page, and all pages that links reach from it. */
  private void collect() {
    Set<String> waiting = new LinkedHashSet<>(List.of(SitePaths.FIRST, SEARCH));
    waiting.addAll(content.lessons().keySet());
    while (!waiting.isEmpty()) {
      List<String> sources = List.copyOf(waiting);
      waiting.clear();
      List<MarkdownPage> page = sources.parallelStream().map(this::read).toList();
      for (int i = 0; i < sources.size(); i++) {
        pages.put(sources.get(i), page.get(i));
        waiting.addAll(page.get(i).links());
      }
      waiting.removeAll(pages.keySet());
    }
  }

  private MarkdownPage read(String source) {
    return MarkdownPage.of(source, shown(source), made.containsKey(source), this::hasPage);
  }

  private boolean hasPage(String source) {
    return made.containsKey(source)
        || content.lessons().containsKey(source)
        || (ProjectFiles.hasPage(source)
            && (content.hasSolutions() || !SitePaths.isSolution(source)));
  }

  private String markdown(String source) {
    String text = made.getOrDefault(source, content.lessons().get(source));
    return text == null ? ProjectFiles.page(source) : text;
  }

  /** Whether the page shows a run; a lesson with gaps is an exercise and shows none. */
  private boolean isPlayed(String source) {
    String lesson = content.lessons().getOrDefault(source, Statement.GAP);
    boolean isRun = lesson.contains("\n```commands") && !lesson.contains(Statement.GAP);
    return isRun || (SitePaths.isPlayed(source) && !content.lessons().containsKey(source));
  }

  /** Text of a page; for a scenario, the text before its commands. */
  private String shown(String source) {
    String text = markdown(source);
    if (SitePaths.isExercise(source)) {
      String check = ProjectFiles.read("exercise.txt");
      return text
          + (content.hasSolutions() ? check : check.replaceFirst("- \\[A solution].*\n", ""))
              .replace("@NAME@", SitePaths.nameOf(source));
    }
    return isPlayed(source) ? text.substring(0, text.indexOf("```commands")) : text;
  }

  private String html(String source) {
    MarkdownPage page = pages.get(source);
    return isPlayed(source) ? player(source, page) : framed(source, page);
  }

  private String framed(String source, MarkdownPage page) {
    String html = SitePaths.htmlOf(source);
    boolean isFirst = source.equals(SitePaths.FIRST);
    return ProjectFiles.read("frame.html")
        .replace("@NAVIGATION@", navigation.bar(source))
        .replace("@CONTENTS@", navigation.contents(source))
        .replace("@RELATED@", navigation.related(source))
        .replace("@UP@", SitePaths.up(html))
        .replace("@TITLE@", PageContent.escaped(page.title()))
        .replace("@DESCRIPTION@", PageContent.escaped(page.description()))
        .replace("@CLASS@", isFirst ? " class=\"landing\"" : "")
        .replace("@BODY@", SitePaths.isChapter(source) ? withRun(page.html()) : page.html());
  }

  /** Adds the first run in the list of a chapter as a frame. */
  private static String withRun(String chapter) {
    return RUN.matcher(chapter)
        .replaceFirst("$1<iframe src=\"$3\" title=\"$4\" loading=\"lazy\"></iframe>\n$2");
  }

  private String player(String source, MarkdownPage page) {
    // The player shows the heading.
    String text = page.html().replaceFirst("(?s)^<h1.*?</h1>\n", "");
    String assets = SitePaths.up(SitePaths.htmlOf(source)) + PLAYER;
    PageContent around =
        new PageContent(
            navigation.bar(source) + navigation.related(source),
            page.description(),
            text,
            false,
            terms(source),
            assets);
    ScenarioPlayer player =
        SitePaths.isScenario(source)
            ? runs.run(source)
            : ScenarioPlayer.tried(markdown(source).lines().toList(), MOST_STEPS);
    if (!player.end().isEmpty()) {
      throw new CommandFailure(source + ": " + player.end());
    }
    return player.page(around);
  }

  /** Links to the glossary by term, relative to a page; "memory region (MR)" gives two terms. */
  private Map<String, String> terms(String source) {
    Map<String, String> terms = new LinkedHashMap<>();
    String glossary = SitePaths.up(SitePaths.htmlOf(source)) + SitePaths.htmlOf(GLOSSARY);
    pages
        .get(GLOSSARY)
        .rows()
        .forEach(
            (anchor, cells) -> {
              for (String name : cells.get(0).split("[,()]", -1)) {
                if (!name.isBlank()) {
                  terms.putIfAbsent(name.strip(), glossary + "#" + anchor);
                }
              }
            });
    return terms;
  }
}
