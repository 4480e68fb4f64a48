// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.queuepair.tests.support.CommandRun;
import io.queuepair.tests.support.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Follows every link of the site that the command writes. */
@Execution(ExecutionMode.CONCURRENT)
final class SiteCommandTest {
  private static final Pattern LINK = Pattern.compile("<a [^>]*?href=\"([^\"]*)\"");
  private static final Pattern LOADED =
      Pattern.compile("<(?:script|img|iframe)[^>]* src=\"([^\"]*)\"|<link[^>]* href=\"([^\"]*)\"");
  private static final Pattern FRAME = Pattern.compile("<iframe src=\"([^\"]*)\"");
  private static final Pattern NAVIGATION =
      Pattern.compile("<nav class=\"site\" aria-label=\"site\">(.*?)</nav>", Pattern.DOTALL);
  private static final Pattern ID = Pattern.compile(" id=\"([^\"]*)\"");
  private static final Pattern TERM = Pattern.compile("\\[\"([^\"]*)\",\"glossary.html#");
  private static final int MEGABYTES_16 = 16_000_000;

  @TempDir private Path top;

  /** The pages, by their path in the site. */
  private static final Map<String, String> PAGES = new TreeMap<>(MadeSite.FILES);

  static {
    PAGES.keySet().removeIf(path -> !path.endsWith(".html"));
  }

  private static String pathOf(Path file) {
    return MadeSite.FOLDER.relativize(file).toString().replace('\\', '/');
  }

  private static List<String> groups(Pattern pattern, String text) {
    List<String> found = new ArrayList<>();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      found.add(matcher.group(1) != null ? matcher.group(1) : matcher.group(2));
    }
    return found;
  }

  private static List<Path> writtenFiles() throws IOException {
    try (Stream<Path> files = Files.walk(MadeSite.FOLDER)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  private static long writtenBytes() throws IOException {
    long bytes = 0;
    for (Path file : writtenFiles()) {
      bytes += Files.size(file);
    }
    return bytes;
  }

  @Test
  void saysWhatWasWritten() throws IOException {
    assertThat(MadeSite.RUN.err()).isEmpty();
    assertThat(MadeSite.RUN.exitCode()).isZero();
    String size = writtenFiles().size() + " files, " + writtenBytes() / 1024 + " KiB";
    assertThat(MadeSite.RUN.out()).contains("index.html: " + size);
  }

  @Test
  void hasNoDeadLink() {
    Map<String, Set<String>> ids = new HashMap<>();
    PAGES.forEach((path, page) -> ids.put(path, new HashSet<>(groups(ID, page))));
    List<String> dead = new ArrayList<>();
    int links = 0;
    for (Map.Entry<String, String> page : PAGES.entrySet()) {
      for (String link : groups(LINK, page.getValue())) {
        // The steps of a run are numbered.
        if (link.matches("https?:.*|mailto:.*|#1")) {
          continue;
        }
        links++;
        String[] parts = link.split("#", 2);
        String target =
            parts[0].isEmpty()
                ? page.getKey()
                : pathOf(
                    MadeSite.FOLDER.resolve(page.getKey()).resolveSibling(parts[0]).normalize());
        boolean isFragmentMissing =
            parts.length == 2 && !ids.getOrDefault(target, Set.of()).contains(parts[1]);
        if (!PAGES.containsKey(target) || isFragmentMissing) {
          dead.add(page.getKey() + " -> " + link);
        }
      }
    }

    assertThat(dead).isEmpty();
    assertThat(links).isGreaterThan(1_000);
  }

  /** The specification, a man page, a file of Linux or rdma-core, or a run. */
  @Test
  void everyPageOfTheReferenceHasASourceAndAWayBack() {
    String reference =
        "(attributes|events|headers|logs|naks|opcodes|rejects|states|statuses|verbs)/";
    Pattern source =
        Pattern.compile(
            "infinibandta|man7\\.org|torvalds/linux|linux-rdma/rdma-core"
                + "|scenarios/[a-z0-9-]+\\.html");
    Map<String, String> pages = new TreeMap<>(PAGES);
    pages.keySet().removeIf(path -> !path.matches(reference + ".*") || path.endsWith("index.html"));

    assertThat(pages).hasSizeGreaterThan(400);
    assertThat(pages)
        .allSatisfy(
            (path, page) -> {
              String body = page.split("<main>", 2)[1];
              assertThat(body).as(path).containsPattern(source);
              assertThat(body).as(path).contains("index.html\">");
            });
  }

  @Test
  void everyPageHasTitleDescriptionAndTheEntriesOfTheSite() {
    assertThat(PAGES)
        .allSatisfy(
            (path, page) -> {
              assertThat(page).containsPattern("<title>[^<]+</title>");
              assertThat(page).containsPattern("<meta name=\"description\" content=\"[^\"]{20,}\"");
              assertThat(page).containsPattern("<a [^>]*href=\"(\\.\\./)*index\\.html\"");
              assertThat(page).doesNotContainPattern("@[A-Z]+@|<th[^>]*></th>");
              assertThat(page).doesNotContain("<style>", "<script>");
              assertThat(groups(LOADED, page))
                  .allMatch(name -> !name.contains(":") || name.startsWith("data:"));
              assertThat(groups(NAVIGATION, page))
                  .singleElement(as(STRING))
                  .containsSubsequence(
                      ">Queuepair</span></a>",
                      ">Learn</a>",
                      ">Look up</a>",
                      ">Debug</a>",
                      ">Runs</a>");
              assertThat(page).contains("<input id=\"q\" name=\"q\" type=\"search\"");
            });
  }

  /** Mark of the links to the page and to the part where the reader is. */
  private static final Pattern CURRENT =
      Pattern.compile("href=\"([^\"]*)\" aria-current=\"(?:page|true)\"");

  @Test
  void marksTheEntryAndThePartOfAPage() {
    assertThat(groups(CURRENT, PAGES.get("tutorial/receiving.html")))
        .containsExactly("../tutorial/index.html", "../tutorial/receiving.html");
    assertThat(groups(CURRENT, PAGES.get("attributes/qkey.html")))
        .containsExactly("../lookup/index.html", "../attributes/index.html");
    assertThat(groups(CURRENT, PAGES.get("scenarios/rnr-nak.html")))
        .containsExactly("../runs.html");
    assertThat(groups(CURRENT, PAGES.get("debugging.html"))).containsExactly("debugging.html");
  }

  @Test
  void theFirstPageHasFourRunsThatEndAsItsSentencesSay() {
    assertThat(PAGES.get("index.html").split("<div class=\"shown\"", -1))
        .hasSize(5)
        .satisfies(runs -> assertThat(runs[1]).contains(">RDMA WRITE, PSN 0<", ">ACK, PSN 1<"))
        .satisfies(runs -> assertThat(runs[1]).doesNotContain("NAK", "sent again"))
        .satisfies(
            runs ->
                assertThat(runs[2])
                    .contains(
                        ">NAK PSN sequence error, PSN 0<",
                        ">RDMA WRITE, PSN 0, sent again",
                        ">SEND, PSN 1, sent again",
                        ">server.mr+0:5 = &quot;hello&quot;<")
                    .doesNotContain("_ERR"))
        .satisfies(
            runs ->
                assertThat(runs[3])
                    .contains(">NAK remote access error, PSN 0<", ">completion: 1 REM_ACCESS_ERR")
                    .doesNotContain("&quot;hello&quot;"))
        .satisfies(
            runs ->
                assertThat(runs[4])
                    .contains(">RNR NAK 0.64 ms, PSN 1<", ">completion: 2 RNR_RETRY_EXC_ERR<"));
  }

  private static final Pattern UNIT = Pattern.compile("<i data-unit=\"[0-9]+\">([^<]*)</i>");

  @Test
  void theConnectionHasEveryByteOfItsFrames() {
    List<List<String>> frames =
        Stream.of(PAGES.get("connection.html").split("<div class=\"dump\">", -1))
            .skip(1)
            .map(frame -> groups(UNIT, frame))
            .toList();

    assertThat(frames)
        .hasSize(18)
        .allSatisfy(
            units -> {
              String bytes = String.join(" ", units);
              // Ethernet II with IPv4, whose total length counts from byte 14 on.
              assertThat(units).element(2).isEqualTo("08 00");
              assertThat(bytes.split(" ", -1))
                  .hasSize(14 + Integer.parseInt(bytes.substring(48, 53).replace(" ", ""), 16));
              assertThat(bytes).contains(" 12 b7 ");
            });
    // IBA volume 1, 12.6: attribute IDs. 9.7.5.1.1: a NAK, of code 0.
    assertThat(frames.get(0)).contains("00 10");
    assertThat(frames.get(17)).contains("00 16");
    assertThat(frames.get(11)).contains("60");
    assertThat(PAGES.get("connection.html")).contains("NAK PSN sequence error", ">10.0.0.2<");
  }

  @Test
  void everyScenarioHasAPageWithItsSteps() {
    Set<String> scenarios =
        SourceTree.files(SourceTree.root().resolve("docs/scenarios"), ".md").stream()
            .map(file -> file.getFileName().toString().replace(".md", ".html"))
            .filter(name -> !name.equals("README.html"))
            .collect(Collectors.toSet());

    assertThat(scenarios).hasSizeGreaterThan(80);
    assertThat(scenarios)
        .allSatisfy(
            name -> {
              String page = PAGES.get("scenarios/" + name);
              assertThat(page).as(name).isNotNull();
              assertThat(page).as(name).contains("<li id=\"step-2\" ", "<p class=\"remark\">");
              assertThat(PAGES.get("runs.html")).contains("href=\"scenarios/" + name + "\"");
            });
  }

  /** The files of a folder of the docs, without its list of them, as pages of the site. */
  private static List<String> pagesOf(String folder) throws IOException {
    try (Stream<Path> files = Files.list(SourceTree.root().resolve("docs/" + folder))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".md") && !name.equals("README.md"))
          .map(name -> folder + "/" + name.replace(".md", ".html"))
          .toList();
    }
  }

  @Test
  void everyChapterHasAPageWithTheWayToTheNextOne() throws IOException {
    // The orders of docs/tutorial/README.md and docs/scenarios/README.md.
    assertThat(PAGES.keySet()).containsAll(pagesOf("tutorial"));
    assertThat(PAGES.get("tutorial/receiving.html"))
        .contains(
            "<a rel=\"prev\" href=\"../tutorial/transports-and-networks.html\">Previous: Transports",
            "<a rel=\"next\" href=\"../tutorial/read-and-write.html\">Next: READ and WRITE");
    assertThat(PAGES.get("scenarios/state-init.html"))
        .contains(
            "<a rel=\"prev\" href=\"../scenarios/state-reset.html\">Previous: RESET: nothing goes</a>",
            "<a rel=\"next\" href=\"../scenarios/state-rtr.html\">Next: RTR: it answers");
  }

  @Test
  void everyChapterHasARunInIt() throws IOException {
    List<String> chapters =
        pagesOf("tutorial").stream()
            .filter(path -> PAGES.get(path).contains(">Watch</h2>"))
            .toList();

    assertThat(chapters)
        .hasSize(22)
        .allSatisfy(
            path ->
                assertThat(groups(FRAME, PAGES.get(path)))
                    .singleElement(as(STRING))
                    .matches(run -> PAGES.containsKey(run.replace("../", ""))));
    assertThat(PAGES.get("tutorial/receiving.html"))
        .contains(
            "<iframe src=\"../scenarios/send.html\" title=\"SEND: two completions, one packet each"
                + " way\"");
  }

  @Test
  void everyExerciseHasAPageAndASolutionToStepThrough() throws IOException {
    List<String> exercises = pagesOf("exercises");

    assertThat(exercises).hasSize(16);
    assertThat(exercises)
        .allSatisfy(
            path -> {
              String name = path.substring("exercises/".length());
              assertThat(PAGES.get(path))
                  .contains("<pre", "expect ", "href=\"../exercises/solutions/" + name + "\"");
              assertThat(PAGES.get("exercises/solutions/" + name))
                  .contains("<li id=\"step-2\" ", "href=\"../../" + path + "\"");
            });
  }

  @Test
  void asksNothingOfAnyOtherMachineAndIsSmall() throws IOException {
    for (String name :
        List.of("site.css", "search.js", "first-run.js", "bytes.js", "player.css", "player.js")) {
      assertThat(MadeSite.FILES.get(name)).doesNotContain("http", "@import", "url(", "fetch(");
    }
    assertThat(writtenBytes()).isLessThan(MEGABYTES_16);
  }

  @Test
  void theSearchKnowsTheTermsOfTheGlossaryAndNoHeads() {
    String known = MadeSite.FILES.get("pages.js");
    assertThat(known).contains("[\"fence\",\"glossary.html#fence\",", "scenarios/rnr-nak.html");
    List<String> lines = SourceTree.lines(SourceTree.root().resolve("docs/glossary.md"));
    long heads = lines.stream().filter(line -> line.startsWith("|---")).count();
    long rows = lines.stream().filter(line -> line.startsWith("| ")).count();

    assertThat(heads).isPositive();
    assertThat(groups(TERM, known))
        .hasSize((int) (rows - heads))
        .contains("fence")
        .doesNotContain("Glossary");
  }

  /** Rows of a table of the search begin with a page, a folder of pages, or a row of a page. */
  @ParameterizedTest
  @CsvSource({
    "tools/src/main/resources/io/queuepair/tools/site/aliases.tsv, 0",
    "tests/browser/queries.tsv, 1"
  })
  void tablesOfTheSearchNamePagesOfTheSite(String table, int column) {
    assertThat(SourceTree.lines(SourceTree.root().resolve(table)).stream().skip(column))
        .isNotEmpty()
        .map(line -> line.split("\t", -1)[column])
        .allSatisfy(
            address -> {
              String[] place = address.split("#", 2);
              String page = PAGES.getOrDefault(place[0], "");
              if (place.length == 2) {
                assertThat(groups(ID, page)).contains(place[1]);
              } else if (address.endsWith("*")) {
                assertThat(PAGES.keySet())
                    .anyMatch(path -> path.startsWith(address.replace("*", "")));
              } else {
                assertThat(page).isNotEmpty();
              }
            });
  }

  private static final String LESSON_WITH_PICTURES =
      """
      # T

      ![Its](../tutorial/pictures/bth.svg)

      ![Own](own.svg)

      ![Far](https://a.b/c.svg)
      """;

  /**
   * A text, an exercise and a run of a teacher, a figure of the project, the text of other
   * pictures; and no way to a solution.
   */
  @Test
  void writesTheLessonsOfATeacherAndLeavesOutSolutions() throws IOException {
    Path own = Files.createDirectories(top.resolve("own/solutions")).getParent();
    String run = "\n\nWhy.\n\n```commands\ndevice a\ncreate_qp a.qp\nexpect state a.qp ";
    Files.writeString(own.resolve("week1.md"), "# Week 1\n\n[A run](../scenarios/send.md)\n");
    Files.writeString(own.resolve("my.md"), "# My exercise" + run + "???\n```\n");
    Files.writeString(own.resolve("shown.md"), "# A run" + run + "RESET\n```\n");
    Files.writeString(own.resolve("solutions/my.md"), "# Solved" + run + "RESET\n```\n");
    Files.writeString(own.resolve("t.md"), LESSON_WITH_PICTURES);
    Path site = top.resolve("site");

    CommandRun made =
        CommandRun.of("site", site.toString(), "--lessons", own.toString(), "--no-solutions");

    assertThat(made.exitCode()).as(made.err()).isZero();
    assertThat(site.resolve("lessons/solutions")).doesNotExist();
    assertThat(site.resolve("exercises/solutions")).doesNotExist();
    assertThat(Files.readString(site.resolve("exercises/datagram.html")))
        .contains("queuepair grade datagram", "href=\"../lessons/index.html\">Lessons<")
        .doesNotContain("solutions/", "A solution");
    assertThat(Files.readString(site.resolve("lessons/index.html")))
        .contains("href=\"../lessons/week1.html\">Week 1<", ">My exercise<", ">A run<");
    assertThat(Files.readString(site.resolve("lessons/week1.html")))
        .contains("href=\"../scenarios/send.html\"");
    assertThat(Files.readString(site.resolve("lessons/my.html"))).contains("a.qp ???");
    assertThat(Files.readString(site.resolve("lessons/shown.html"))).contains("id=\"step-2\"");
    assertThat(Files.readString(site.resolve("lessons/t.html")))
        .contains("<svg role=\"img\" aria-label=\"Its\"", "<p>Own</p>", "<p>Far</p>")
        .doesNotContain("<img");
  }

  @Test
  void namesTheLessonThatCannotBeRun() throws IOException {
    Files.writeString(top.resolve("bad.md"), "# T\n\nx\n\n```commands\ncreate_qq a.qp\n```\n");

    CommandRun run =
        CommandRun.of("site", top.resolve("site").toString(), "--lessons", top.toString());

    assertThat(run.exitCode()).isOne();
    assertThat(run.err()).contains("docs/lessons/bad.md: Line 6: create_qq: there is no such");
  }

  @Test
  void refusesAFolderThatCannotBe() throws IOException {
    Path file = Files.writeString(top.resolve("file"), "");

    CommandRun run = CommandRun.of("site", file.toString());

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .contains("the folder " + file + " cannot be made: it is a file")
        .hasLineCount(1);
  }
}
