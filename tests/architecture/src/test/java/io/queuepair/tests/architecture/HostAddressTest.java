// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.SourceTree;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Test classes of this module run beside each other, and only one of them can have an address. */
final class HostAddressTest {
  /** In the name of a device, which is bound; not in text around it. */
  private static final Pattern ADDRESS = Pattern.compile("\"(127(?:\\.\\d+){3})\"");

  private static final Path TESTS = SourceTree.root().resolve("tests/src/test/java");

  @Test
  void noTwoClassesNameTheSameAddressOfThisHost() {
    Map<String, Set<Path>> classes = new LinkedHashMap<>();
    for (Path file : SourceTree.files(TESTS, "Test.java")) {
      ADDRESS
          .matcher(String.join("\n", SourceTree.lines(file)))
          .results()
          .map((MatchResult found) -> found.group(1))
          .forEach(
              address ->
                  classes
                      .computeIfAbsent(address, none -> new TreeSet<>())
                      .add(TESTS.relativize(file)));
    }

    assertThat(classes).isNotEmpty();
    assertThat(classes.values()).allSatisfy(users -> assertThat(users).hasSize(1));
  }
}
