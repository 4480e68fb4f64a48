// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import io.queuepair.tests.support.SourceTree;
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

/** The tutorial is a list of chapters, each with runs and an exercise. */
final class ChaptersTest {
  private static final String FOLDER = "docs/tutorial/";
  private static final int CHAPTERS = 12;
  private static final Pattern CHAPTER = Pattern.compile("^[0-9]+\\. \\[[^]]*]\\(([^)]*)\\)");
  private static final Pattern PAGE = Pattern.compile("]\\(([a-z-]+\\.md)\\)");
  private static final Pattern NEXT = Pattern.compile("Next: \\[[^]]*]\\(([a-z-]+\\.md)\\)\\.");
  private static final Pattern RUN = Pattern.compile("]\\(\\.\\./scenarios/[a-z0-9-]+\\.md\\)");
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
  void everyChapterHasRunsAndAnExerciseOfItsOwn() {
    List<String> exercises = new ArrayList<>();
    for (String chapter : chapters()) {
      String text = read(chapter);
      int exercise = text.indexOf("\n## Exercise\n");
      assertThat(text.substring(text.indexOf("\n## Watch\n"), exercise))
          .as(chapter)
          .containsPattern(RUN);
      exercises.addAll(found(EXERCISE, text.substring(exercise)));
    }

    assertThat(chapters()).hasSize(CHAPTERS).doesNotHaveDuplicates();
    assertThat(exercises).containsExactlyElementsOf(found(PAGE, read("../exercises/README.md")));
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
