// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.SourceTree;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Code, messages and pages use the terms of the field, not the words that are listed. */
final class WordsTest {
  private static final Path ROOT = SourceTree.root();
  private static final List<String> ENDINGS =
      List.of(".java", ".md", ".c", ".h", ".sh", ".tsv", ".xml");

  @Test
  void noneOfTheListedWordsIsUsed() {
    List<String> listed =
        SourceTree.lines(ROOT.resolve("config/words-to-avoid.txt")).stream()
            .filter(line -> !line.startsWith("#"))
            .toList();
    Pattern words =
        Pattern.compile(
            listed.stream().collect(Collectors.joining("|", "\\b(?:", ")\\b")),
            Pattern.CASE_INSENSITIVE);

    assertThat(listed).isNotEmpty();
    assertThat(findings(words)).isEmpty();
  }

  private static List<String> findings(Pattern words) {
    List<String> findings = new ArrayList<>();
    for (String ending : ENDINGS) {
      for (Path file : SourceTree.files(ROOT, ending)) {
        List<String> lines = SourceTree.lines(file);
        for (int i = 0; i < lines.size(); i++) {
          if (words.matcher(lines.get(i)).find()) {
            findings.add(ROOT.relativize(file) + ":" + (i + 1) + ": " + lines.get(i).strip());
          }
        }
      }
    }
    return findings;
  }
}
