// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class FallibleVerbsTest {
  private static final Path DEVICE = Path.of("src/main/java/io/queuepair/emulator/device");
  private static final Pattern ASKS =
      Pattern.compile(
          "(?:driver(?:\\(\\))?\\s*\\.(?:beginVerb|failAsPlanned|step|call)"
              + "|ontext(?:\\(\\))?\\s*\\.destroy(?:Acknowledged)?)"
              + "\\((?:\"(\\w+)\"|(?!verb\\b)(\\w+))[,)]");
  private static final Pattern CONSTANT =
      Pattern.compile("static final String (\\w+) = \"((?:ibv|umad)_\\w+)\"");

  /** The verbs whose implementations ask the plan, read from their sources. */
  private static Set<String> asking() throws IOException {
    Set<String> asking = new TreeSet<>();
    try (Stream<Path> files = Files.walk(DEVICE)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String source = Files.readString(file);
        Map<String, String> constants = new TreeMap<>();
        CONSTANT
            .matcher(source)
            .results()
            .forEach(one -> constants.put(one.group(1), one.group(2)));
        Matcher matcher = ASKS.matcher(source);
        while (matcher.find()) {
          String literal = matcher.group(1);
          asking.add(literal != null ? literal : constants.getOrDefault(matcher.group(2), "?"));
        }
      }
    }
    return asking;
  }

  @Test
  void aPlanCanNameExactlyTheVerbsThatAskIt() throws IOException {
    assertThat(FallibleVerbs.names()).containsExactlyElementsOf(asking());
  }

  @Test
  void everyResourceIsCreatedByVerbsThatAsk() {
    for (Resource resource : Resource.values()) {
      assertThat(FallibleVerbs.names()).containsAll(List.copyOf(resource.verbs()));
    }
  }
}
