// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  @Test
  void standsBelowTheHomeOfThePasswdEntryWithoutVariables() throws IOException {
    for (Map<String, String> environment :
        List.of(Map.<String, String>of(), Map.of("HOME", ""), Map.of("XDG_CACHE_HOME", "x"))) {
      CacheDirectory cache = CacheDirectory.ofUser(environment, directory.toString());

      assertThat(cache.entry("kind", List.of("a"), into -> {}))
          .hasParent(directory.resolve(".cache/queuepair"));
    }
  }

  @Test
  void standsInTheTemporaryDirectoryWithoutAHomeToWriteTo() throws IOException {
    Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");

    for (String home : List.of("?", "/dev/null")) {
      assertThat(CacheDirectory.ofUser(Map.of(), home).directory())
          .isEqualTo(Path.of(System.getProperty("java.io.tmpdir"), "queuepair-" + user));
    }
  }

  @Test
  void standsWhereProgramsCanPreloadFrom() throws IOException {
    for (String name : List.of("a home", "b:c")) {
      Path home = Files.createDirectory(directory.resolve(name));

      assertThat(CacheDirectory.ofUser(Map.of("HOME", home.toString()), "?").directory().toString())
          .doesNotContain(name);
    }
  }

  @Test
  void makesWhatNobodyElseMayWrite() throws IOException {
    Path base = directory.resolve("new/cache");
    Path entry =
        new CacheDirectory(base)
            .entry(
                "kind",
                List.of("a"),
                into -> {
                  Path file = Files.writeString(into.resolve("f"), "");
                  setMode(file, "rw-rw-rw-");
                });

    for (Path path : List.of(base.getParent(), base, entry)) {
      assertThat(Files.getPosixFilePermissions(path))
          .as("%s", path)
          .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }
    assertThat(Files.getPosixFilePermissions(entry.resolve("f")))
        .isEqualTo(PosixFilePermissions.fromString("rw-r--r--"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"home", "home/cache", "home/cache/ENTRY", "home/cache/ENTRY/f"})
  void refusesWhatOthersMayWrite(String what) throws IOException {
    for (String mode : List.of("rwxrwxr-x", "rwxr-xrwx")) {
      Path path = existing(what);
      Set<PosixFilePermission> before = Files.getPosixFilePermissions(path);
      setMode(path, mode);

      assertThatThrownBy(this::existingEntry)
          .isInstanceOf(NativeException.class)
          .hasMessage(
              "the cache is not used, as other users may write to "
                  + path
                  + ": forbid that by chmod go-w, or set XDG_CACHE_HOME"
                  + " to a directory of your own");
      Files.setPosixFilePermissions(path, before);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"home", "home/cache", "home/cache/ENTRY", "home/cache/ENTRY/f"})
  void refusesWhatAnotherUserOwns(String what) throws IOException {
    Path path = existing(what);
    giveAway(path);

    assertThatThrownBy(this::existingEntry)
        .isInstanceOf(NativeException.class)
        .hasMessage(
            "the cache is not used, as "
                + path
                + " belongs to the user 65534: set XDG_CACHE_HOME to a directory of your own");
  }

  @Test
  void makesNothingInADirectoryOfAnotherUser() throws IOException {
    Path home = Files.createDirectory(directory.resolve("home"));
    giveAway(home);

    assertThatThrownBy(this::existingEntry)
        .isInstanceOf(NativeException.class)
        .hasMessageContaining(home + " belongs to the user 65534");
    assertThat(home).isEmptyDirectory();
  }

  @Test
  void refusesALinkIntoADirectoryOfAnotherUser() throws IOException {
    Path other = Files.createDirectory(directory.resolve("other"));
    giveAway(other);
    Files.createSymbolicLink(directory.resolve("home"), other);

    assertThatThrownBy(this::existingEntry)
        .isInstanceOf(NativeException.class)
        .hasMessageContaining(other + " belongs to the user 65534");
  }

  @Test
  void takesNoLinkForAnEntry() throws IOException {
    Path entry = existing("home/cache/ENTRY");
    Files.delete(entry.resolve("f"));
    Files.delete(entry);
    Files.createSymbolicLink(entry, Files.createDirectory(directory.resolve("other")));

    assertThatThrownBy(this::existingEntry)
        .isInstanceOf(NativeException.class)
        .hasMessageContaining("cannot be written");
  }

  @Test
  void takesADirectoryToWhichOthersCanOnlyAdd() throws IOException {
    Path shared = Files.createDirectory(directory.resolve("home"));
    Files.setAttribute(shared, "unix:mode", 01777);

    assertThat(existingEntry()).exists();
  }

  private Path existingEntry() {
    return new CacheDirectory(directory.resolve("home/cache"))
        .entry("kind", List.of("a"), into -> Files.writeString(into.resolve("f"), ""));
  }

  /** A path of the cache, which is there. */
  private Path existing(String what) {
    String name = existingEntry().getFileName().toString();
    return directory.resolve(what.replace("ENTRY", name));
  }

  private static void setMode(Path path, String mode) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  private static void giveAway(Path path) throws IOException {
    try {
      Files.setAttribute(path, "unix:uid", 65_534);
    } catch (FileSystemException refused) {
      assumeTrue(false, "only root can give a file away");
    }
  }
}
