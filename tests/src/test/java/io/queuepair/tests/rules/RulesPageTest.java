// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.engine.RequestStatus;
import io.queuepair.tests.support.GeneratedPage;
import io.queuepair.tests.support.SourceTree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The rules of the protocol, as comments beside the code that follows them: {@code // Rule NAME:
 * SENTENCE}, {@code // Source: SOURCE}, {@code // Test: CLASS.METHOD}.
 */
final class RulesPageTest {
  private static final Path MAIN =
      SourceTree.root().resolve("emulator-core/src/main/java/io/queuepair/emulator");

  private static final Pattern COMMENT = Pattern.compile("(?:^ *// .*\\n)+", Pattern.MULTILINE);

  private static final Pattern RULE =
      Pattern.compile("Rule ([a-z.-]+): (.*?) Source: (.*?) Test: (\\w+)\\.(\\w+)(?= Rule |$)");

  private static final Pattern METHOD =
      Pattern.compile(
          "^ +(?:[@\\w<>\\[\\]., ]+ )(\\w+)\\([^)]*\\)[^{};]*\\{\\n$", Pattern.MULTILINE);

  private static List<ProtocolRule> rules;
  private static Map<String, Path> tests;

  private record ProtocolRule(
      String name, String sentence, String source, String code, String test, String method) {}

  @BeforeAll
  static void read() {
    rules = new ArrayList<>();
    for (Path file : SourceTree.files(MAIN, ".java")) {
      String text = String.join("\n", SourceTree.lines(file)) + "\n";
      Matcher comments = COMMENT.matcher(text);
      while (comments.find()) {
        String comment = comments.group().replaceAll("\\n? *// ", " ").strip();
        Matcher found = RULE.matcher(comment);
        while (found.find()) {
          String name = MAIN.relativize(file).toString().replace(".java", "");
          String code = name + "." + methodBefore(text, comments.start());
          rules.add(
              new ProtocolRule(
                  found.group(1),
                  found.group(2),
                  found.group(3),
                  code,
                  found.group(4),
                  found.group(5)));
        }
      }
    }
    rules.sort((one, other) -> one.name().compareTo(other.name()));
    tests = new TreeMap<>();
    for (String module : List.of("emulator-core", "tests")) {
      Path sources = SourceTree.root().resolve(module).resolve("src/test/java");
      for (Path file : SourceTree.files(sources, "Test.java")) {
        tests.put(file.getFileName().toString().replace(".java", ""), file);
      }
    }
  }

  private static String methodBefore(String text, int at) {
    Matcher methods = METHOD.matcher(text).region(0, at);
    String last = "";
    while (methods.find()) {
      last = methods.group(1);
    }
    return last;
  }

  @Test
  void eachCommentIsWhole() {
    long begun =
        SourceTree.files(MAIN, ".java").stream()
            .flatMap(file -> SourceTree.lines(file).stream())
            .filter(line -> line.strip().startsWith("// Rule "))
            .count();

    assertThat(rules).hasSize((int) begun).hasSizeGreaterThan(30);
    assertThat(rules).extracting(ProtocolRule::name).doesNotHaveDuplicates();
    assertThat(rules).extracting(ProtocolRule::code).noneMatch(code -> code.endsWith("."));
  }

  @Test
  void eachRuleHasATest() {
    assertThat(rules)
        .allSatisfy(
            rule -> {
              assertThat(tests).containsKey(rule.test());
              assertThat(SourceTree.lines(tests.get(rule.test())))
                  .anyMatch(line -> line.contains(" void " + rule.method() + "("));
            });
  }

  @Test
  void eachDecisionOfAResponderHasARule() {
    for (RequestStatus status : RequestStatus.values()) {
      if (status != RequestStatus.ACCEPT) {
        assertThat(rules).anyMatch(rule -> rule.sentence().startsWith(status + ": "));
      }
    }
  }

  @Test
  void thePageIsUpToDate() throws IOException {
    StringBuilder page = new StringBuilder();
    page.append("# Rules of the protocol\n\n")
        .append("What requester and responder do, timers, the ICRC and path migration. ")
        .append("Sources: functions of Linux\n6.17, `drivers/infiniband/sw/rxe`; ")
        .append("the InfiniBand Architecture Specification (IBTA); man pages of rdma-core.\n\n")
        .append("| rule | what | source | code | test |\n|---|---|---|---|---|\n");
    for (ProtocolRule rule : rules) {
      page.append("| ")
          .append(rule.name())
          .append(" | ")
          .append(rule.sentence())
          .append(" | ")
          .append(rule.source())
          .append(" | `")
          .append(rule.code())
          .append("` | `")
          .append(rule.test())
          .append('.')
          .append(rule.method())
          .append("` |\n");
    }
    GeneratedPage.byTest("docs/reference/rules.md", RulesPageTest.class).check(page.toString());
  }
}
