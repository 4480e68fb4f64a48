// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.SourceTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page of platforms names modules as they are. */
final class PlatformsPageTest {
  private static final Path ROOT = SourceTree.root();
  private static final String PAGE = "docs/platforms.md";
  private static final Pattern MODULE_ROW =
      Pattern.compile("\\| `(io\\.queuepair\\.\\w+)` \\| `queuepair-([\\w-]+)` \\|.*");
  private static final Pattern MODULE_NAME = Pattern.compile("io\\.(?:netty|queuepair)[\\w.]*\\w");

  private static List<String> page() {
    return SourceTree.lines(ROOT.resolve(PAGE));
  }

  /** The rows of the table of modules: name of the module, and of the folder of its artifact. */
  private static List<MatchResult> modules() {
    return page().stream()
        .map(MODULE_ROW::matcher)
        .filter(row -> row.matches())
        .map(row -> row.toMatchResult())
        .toList();
  }

  private static String declaration(String folder) throws Exception {
    return Files.readString(ROOT.resolve(folder + "/src/main/java/module-info.java"));
  }

  @Test
  void eachModuleIsThatOfItsArtifact() throws Exception {
    assertThat(modules()).hasSize(3);
    for (MatchResult row : modules()) {
      assertThat(declaration(row.group(2))).contains("module " + row.group(1) + " {");
      assertThat(Files.readString(ROOT.resolve(row.group(2) + "/pom.xml")))
          .contains("<artifactId>queuepair-" + row.group(2) + "</artifactId>");
    }
  }

  @Test
  void eachModuleRequiresTheOneAboveItTransitively() throws Exception {
    for (int i = 1; i < modules().size(); i++) {
      assertThat(declaration(modules().get(i).group(2)))
          .contains("requires transitive " + modules().get(i - 1).group(1) + ";");
    }
  }

  /** With these a program over UDP needs no option; ModulePathTest runs one. */
  @Test
  void theTransportRequiresWhatThePageSaysItDoes() throws Exception {
    String text = String.join(" ", page());
    String declaration = declaration("transport-udp");

    List<String> libraries =
        MODULE_NAME
            .matcher(text)
            .results()
            .map(MatchResult::group)
            .filter(name -> name.contains(".epoll."))
            .toList();
    assertThat(libraries).hasSize(2);
    assertThat(libraries)
        .allSatisfy(name -> assertThat(declaration).contains("requires " + name + ";"));
    assertThat(text).contains("requires `jdk.net`");
    assertThat(declaration).contains("requires jdk.net;");
  }

  @Test
  void otherSystemsAndVirtualThreadsAreSpokenOf() {
    assertThat(String.join("\n", page()))
        .contains("- **macOS**", "- **Windows**", "bin/queuepair` is a script for bash")
        .contains("- **Virtual threads.**", "LockSupport.parkNanos", "not call `Thread.yield()`");
    assertThat(SourceTree.lines(ROOT.resolve("bin/queuepair")).get(0)).contains("bash");
    assertThat(SourceTree.lines(ROOT.resolve("README.md")))
        .anyMatch(line -> line.contains("(" + PAGE + ")"));
  }
}
