// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import io.queuepair.tests.support.LoopbackNetwork;
import io.queuepair.tests.support.RunningCommand;
import io.queuepair.tests.support.SourceTree;
import io.queuepair.tools.Main;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/**
 * Every command line that a page shows, run in the order of the page: with fewer seeds and files,
 * on addresses and in a folder of this test.
 */
final class PageCommandsTest {
  private static final Path ROOT = SourceTree.root();

  /** In a block of code, up to a comment or what stands in a second column. */
  private static final Pattern LINE =
      Pattern.compile("(?:[A-Z_]+=\\S+ )*(?:bin/)?queuepair (\\S.*?)(?: &)?(?:\\s{2,}.*|\\s+#.*)?");

  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");
  private static final Pattern MENTION =
      Pattern.compile("`(?:bin/)?queuepair (?!COMMAND)([a-z-]+)[^`]*`");

  /** Commands that are not run but only parsed, and why. */
  private static final Map<String, String> NOT_RUN =
      Map.of(
          "run .*", "starts programs of Debian packages: tests/native/run does",
          "service .*", "keeps a process: ServiceTest of bindings/native has one",
          "serve.*", "has no end: ServeCommandTest ends it",
          "bench(?! --list).*", "minutes, and processes of its own: BenchCommandTest runs rows",
          "pingpong --type ud.*", "waits for a client on Linux: tests/interop/run has one",
          "rping -s", "waits for a client on Linux: tests/interop/run has one",
          "decode -", "reads standard input: DecodeCommandTest gives it some",
          "grade [a-z-]+|site .*--lessons.*", "GradeCommandTest, SiteCommandTest: needs a folder",
          "totals /where/.*", "is of a cluster");

  /** Commands whose exit code 1 says what was found. */
  private static final Pattern FINDS =
      Pattern.compile(
          ".*(--shrink|lost\\.md|--coverage-min|receiver-not-ready\\.md|check-transitions).*");

  private static final Pattern CLIENT = Pattern.compile("pingpong .*\\d|rping -c .*");
  private static final Pattern SERVER = Pattern.compile("pingpong --bind \\S+|rping -s .*");

  /** Files that a reader already has, with the recordings of this project among them. */
  private static final Map<String, String> FILES =
      Map.of(
          "capture.pcap", "emulator-core/src/test/resources/pcap/rc_send.pcapng",
          "capture.pcapng.gz", "emulator-core/src/test/resources/pcap/rc_send.pcapng",
          "first.pcapng", "emulator-core/src/test/resources/pcap/rc_send.pcapng",
          "my.md", "docs/scenarios/rnr-nak.md",
          "my-bug.md", "docs/scenarios/rnr-nak.md",
          "receiver-not-ready.md", "docs/exercises/receiver-not-ready.md",
          "modify_qp.tsv",
              "tests/src/test/resources/io/queuepair/tests/conformance/modify_qp_linux.tsv",
          "scenarios.jsonl", "lab/src/test/resources/io/queuepair/lab/replay/scenarios.jsonl.gz");

  @TempDir private Path folder;

  static Stream<String> pages() {
    List<Path> docs = SourceTree.files(ROOT.resolve("docs"), ".md");
    return Stream.concat(Stream.of(ROOT.resolve("README.md")), docs.stream())
        .filter(page -> !commands(page).isEmpty())
        .map(page -> ROOT.relativize(page).toString());
  }

  /** The commands that a page shows, without "queuepair". */
  private static List<String> commands(Path page) {
    List<String> commands = new ArrayList<>();
    boolean isFenced = false;
    String text = String.join("\n", SourceTree.lines(page)).replace("\\\n", "");
    for (String line : text.lines().toList()) {
      if (line.strip().startsWith("```")) {
        isFenced = !isFenced;
      } else if (isFenced || line.startsWith("    ")) {
        for (String part : line.strip().split("; (?=queuepair)|(?<=\\S) [|>] ", -1)) {
          Matcher shown = LINE.matcher(part.strip());
          if (shown.matches()) {
            commands.add(shown.group(1));
          }
        }
      }
    }
    return commands;
  }

  @ParameterizedTest
  @MethodSource("pages")
  void everyCommandOfAPageRuns(String page) throws Exception {
    prepareFiles();
    RunningCommand server = null;
    for (String command : commands(ROOT.resolve(page))) {
      String[] args = args(command);
      if (NOT_RUN.keySet().stream().anyMatch(command::matches)) {
        parse(args);
      } else if (SERVER.matcher(command).matches()) {
        server = RunningCommand.start(args);
      } else if (CLIENT.matcher(command).matches()) {
        runClient(server, command, args);
        assertThat(server.await().exitCode()).as("the server of: %s", command).isZero();
      } else {
        check(command, CommandRun.of(args));
      }
    }
  }

  /** Tries again as long as its server does not listen yet, which refuses. */
  private static void runClient(RunningCommand server, String command, String... args) {
    CommandRun run = CommandRun.of(args);
    while (server.isRunning()
        && (run.err().contains("connection refused") || run.err().contains("REJECTED"))) {
      run = CommandRun.of(args);
    }
    check(command, run);
  }

  private static void check(String command, CommandRun run) {
    int most = FINDS.matcher(command).matches() ? 1 : 0;
    assertThat(run.exitCode()).as("%s: %s", command, run.err()).isBetween(0, most);
  }

  private static void parse(String... args) {
    CommandLine command = Main.commandLine();
    command.setExpandAtFiles(false);
    command.setCaseInsensitiveEnumValuesAllowed(true);
    command.parseArgs(args);
  }

  /** No reason is of a command that no page shows. */
  @Test
  void everyCommandThatIsNotRunIsShown() {
    List<String> all = pages().flatMap(page -> commands(ROOT.resolve(page)).stream()).toList();

    assertThat(all).hasSizeGreaterThan(60);
    assertThat(NOT_RUN.keySet())
        .allSatisfy(shown -> assertThat(all).anyMatch(command -> command.matches(shown)));
  }

  /** Also in the middle of a sentence. */
  @Test
  void everyCommandThatAPageNamesExists() throws IOException {
    List<String> names = List.copyOf(Main.commandLine().getSubcommands().keySet());
    List<Path> pages = new ArrayList<>(SourceTree.files(ROOT.resolve("docs"), ".md"));
    pages.add(ROOT.resolve("README.md"));
    for (Path page : pages) {
      assertThat(MENTION.matcher(Files.readString(page)).results().map(found -> found.group(1)))
          .as("%s", page)
          .allSatisfy(name -> assertThat(name).isIn(names));
    }
  }

  private void prepareFiles() throws IOException {
    for (Map.Entry<String, String> file : FILES.entrySet()) {
      Path source = ROOT.resolve(file.getValue());
      boolean isPacked = file.getValue().endsWith(".gz");
      try (InputStream raw = Files.newInputStream(source);
          InputStream content = isPacked ? new GZIPInputStream(raw) : raw) {
        Path copy = folder.resolve(file.getKey());
        Files.copy(content, copy, StandardCopyOption.REPLACE_EXISTING);
      }
    }
    Files.writeString(folder.resolve("plan.txt"), "drop 1st ACK\n");
  }

  private String[] args(String command) {
    return WORD.matcher(command)
        .results()
        .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
        .flatMap(this::own)
        .toArray(String[]::new);
  }

  /** A word as this test has it: few of what are many, and its own addresses and files. */
  private Stream<String> own(String word) {
    if (word.equals("docs/scenarios/*.md")) {
      return SourceTree.files(ROOT.resolve("docs/scenarios"), ".md").stream()
          .limit(10)
          .map(Path::toString);
    }
    if (word.startsWith("docs/")) {
      return Stream.of(ROOT.resolve(word).toString());
    }
    String own =
        word.replace("127.0.0.2", LoopbackNetwork.SERVER)
            .replace("127.0.0.3", LoopbackNetwork.CLIENT)
            .replaceAll("^1\\.\\.\\d{2,}$", "1..10")
            .replaceAll("^\\d{4,}$", "5000")
            .replaceAll("^/tmp/", "");
    boolean isFile =
        own.matches(
            "@?[\\w-]+(\\.(pcap|pcapng|gz|html|svg|json|md|jsonl|tsv|txt))+|queuepair-site");
    return Stream.of(isFile ? own.replaceAll("^(@?)", "$1" + folder + "/") : own);
  }
}
