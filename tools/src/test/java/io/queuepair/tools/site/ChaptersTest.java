// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import io.queuepair.tests.support.SourceTree;
import io.queuepair.tools.project.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tutorial is a list of chapters, each with a figure, runs and sources. */
final class ChaptersTest {
  private static final String FOLDER = "docs/tutorial/";
  private static final int CHAPTERS = 22;
  private static final Pattern CHAPTER = Pattern.compile("^[0-9]+\\. \\[[^]]*]\\(([^)]*)\\)");
  private static final Pattern PAGE = Pattern.compile("]\\(([a-z-]+\\.md)\\)");
  private static final Pattern NEXT = Pattern.compile("Next: \\[[^]]*]\\(([a-z-]+\\.md)\\)\\.");
  private static final Pattern RUN = Pattern.compile("]\\(\\.\\./scenarios/[a-z0-9-]+\\.md\\)");
  private static final Pattern FIGURE =
      Pattern.compile("(?m)^!\\[[^]]{20,}]\\((pictures/[a-z-]+\\.svg)\\)$");
  private static final Pattern QUESTION = Pattern.compile("(?m)^- \\[[^]]*\\?]\\(([a-z-]+)\\.md");
  private static final Pattern EXERCISE =
      Pattern.compile("]\\(\\.\\./exercises/([a-z0-9-]+\\.md)\\)");

  @TempDir private Path folder;

  private static List<String> lines(String page) {
    return SourceTree.lines(SourceTree.root().resolve(FOLDER + page));
  }

  private static String read(String page) {
    return String.join("\n", lines(page));
  }

  private static List<String> found(Pattern pattern, String text) {
    List<String> found = new ArrayList<>();
    Matcher match = pattern.matcher(text);
    while (match.find()) {
      found.add(match.group(1));
    }
    return found;
  }

  private static List<String> chapters() {
    return lines("README.md").stream().flatMap(line -> found(CHAPTER, line).stream()).toList();
  }

  @Test
  void everyChapterHasRunsAndSourcesAndExercisesHaveTheirOrder() {
    List<String> exercises = new ArrayList<>();
    for (String chapter : chapters()) {
      String text = read(chapter);
      int sources = text.indexOf("\n## Sources\n");
      assertThat(text.substring(text.indexOf("\n## Watch\n"), sources))
          .as(chapter)
          .containsPattern(RUN);
      exercises.addAll(found(EXERCISE, text));
    }

    assertThat(chapters()).hasSize(CHAPTERS).doesNotHaveDuplicates();
    String[] listed = read("../exercises/README.md").split("\n## Longer ones\n", -1);
    assertThat(exercises)
        .containsAll(found(PAGE, listed[1]))
        .filteredOn(exercise -> !listed[1].contains(exercise))
        .containsExactlyElementsOf(found(PAGE, listed[0]));
  }

  /** On the site a figure has the colours of the page; elsewhere those of its file. */
  @Test
  void everyPageHasFiguresWithTheStyleOfTheSite() {
    List<String> pages = found(PAGE, read("README.md")).stream().distinct().toList();
    List<String> figures = new ArrayList<>();
    for (String page : pages) {
      List<String> shown = found(FIGURE, read(page));
      assertThat(shown).as(page).isNotEmpty();
      figures.addAll(shown);
    }
    List<Path> files = SourceTree.files(SourceTree.root().resolve(FOLDER + "pictures"), ".svg");
    String style = ProjectFiles.read("figure.css");

    assertThat(figures).hasSameSizeAs(files).doesNotHaveDuplicates();
    assertThat(figures).allSatisfy(figure -> assertThat(read(figure)).contains(style));
    String html = MadeSite.FILES.get("tutorial/go-back-n.html");
    assertThat(html)
        .containsPattern("<figure>\\s*<svg role=\"img\" aria-label=\"[^\"]{20,}\" ")
        .doesNotContain("<img", "<style");
  }

  /** The questions that students asked a first version of the site. */
  @Test
  void theQuestionsOfStudentsLeadToAnswers() {
    assertThat(found(QUESTION, read("README.md")))
        .hasSize(27)
        .allMatch(page -> MadeSite.FILES.containsKey("tutorial/" + page + ".html"));
  }

  @Test
  void everyPageLeadsToTheNextOneOfTheList() {
    List<String> pages = found(PAGE, read("README.md")).stream().distinct().toList();
    List<String> next = new ArrayList<>();
    for (String page : pages.subList(0, pages.size() - 1)) {
      next.addAll(found(NEXT, read(page)));
    }

    assertThat(next).containsExactlyElementsOf(pages.subList(1, pages.size()));
  }

  /** The packets of the chapter are those of a run. */
  @Test
  void theBytesOfAPacketAreThoseOfARun() throws IOException {
    List<String> commands =
        List.of(
            "# Five bytes",
            "Why.",
            "```commands",
            "device a",
            "device b",
            "create_qp a.qp",
            "create_qp b.qp",
            "connect a.qp b.qp sq_psn=7",
            "fill a.mr \"hello\"",
            "post_recv b.qp wr_id=20 sge=b.mr:64",
            "post_send a.qp wr_id=1 opcode=SEND sge=a.mr:5",
            "run",
            "expect completion a.cq wr_id=1 status=SUCCESS",
            "```");
    Path scenario = Files.write(folder.resolve("it.md"), commands);
    Path capture = folder.resolve("it.pcapng");

    CommandRun run = CommandRun.of("scenario", "--pcap", capture.toString(), scenario.toString());

    assertThat(run.exitCode()).isZero();
    String captured = HexFormat.of().formatHex(Files.readAllBytes(capture));
    List<String> packets =
        lines("reading-a-packet.md").stream()
            .filter(line -> line.matches(" {4}[0-9a-f ]{40,}"))
            .map(line -> line.replace(" ", ""))
            .toList();
    assertThat(packets).hasSize(2).allSatisfy(packet -> assertThat(captured).contains(packet));
  }
}
