// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An entry is made once, and is complete or not there. */
final class CacheDirectoryTest {
  @TempDir private Path directory;

  @Test
  void makesAnEntryOnce() {
    CacheDirectory cache = new CacheDirectory(directory);
    Path made =
        cache.entry("kind", List.of("a"), into -> Files.writeString(into.resolve("f"), "x"));

    Path found =
        cache.entry("kind", List.of("a"), into -> Files.writeString(into.resolve("g"), ""));

    assertThat(found).isEqualTo(made).isDirectoryContaining(file -> file.endsWith("f"));
    assertThat(found.resolve("g")).doesNotExist();
  }

  @Test
  void takesWhatAnotherProcessHasMadeMeanwhile() throws IOException {
    CacheDirectory cache = new CacheDirectory(directory);
    CacheDirectory other = new CacheDirectory(directory);
    List<String> madeFrom = List.of("a");

    Path made =
        cache.entry(
            "kind",
            madeFrom,
            into -> {
              Files.writeString(into.resolve("f"), "");
              other.entry("kind", madeFrom, faster -> Files.writeString(faster.resolve("f"), ""));
            });

    assertThat(made).isDirectoryContaining(file -> file.endsWith("f"));
    try (var files = Files.list(directory)) {
      assertThat(files).containsExactly(made);
    }
  }

  @Test
  void tellsApartWhatIsMadeFromOtherThings() {
    CacheDirectory cache = new CacheDirectory(directory);

    assertThat(cache.entry("kind", List.of("ab", "c"), into -> {}))
        .isNotEqualTo(cache.entry("kind", List.of("a", "bc"), into -> {}));
  }

  @Test
  void leavesNothingOfAnEntryThatFails() throws IOException {
    CacheDirectory cache = new CacheDirectory(directory);

    assertThatThrownBy(
            () ->
                cache.entry(
                    "kind",
                    List.of("a"),
                    into -> {
                      Files.writeString(into.resolve("half"), "x");
                      throw new NativeException("no compiler");
                    }))
        .hasMessage("no compiler");

    try (var files = Files.list(directory)) {
      assertThat(files).isEmpty();
    }
  }
}
