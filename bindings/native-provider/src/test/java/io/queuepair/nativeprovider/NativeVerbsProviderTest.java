// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.Verbs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Programs where no device can be opened: one line, and they run on. */
final class NativeVerbsProviderTest {
  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

  @TempDir private Path directory;

  /** A program that counts the devices. */
  static final class Count {
    private Count() {}

    public static void main(String[] args) {
      System.out.println("devices: " + Verbs.devices().size());
      System.out.println("again: " + Verbs.devices().size());
    }
  }

  private static List<String> run(Path java, Map<String, String> environment, String... options)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(java.toString()));
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Count.class.getName()));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    return output.lines().toList();
  }

  private static void assertOneLine(List<String> lines, String reason) {
    assertThat(lines).containsSubsequence("devices: 0", "again: 0");
    assertThat(lines.stream().filter(line -> line.contains("no devices of libibverbs")))
        .singleElement()
        .asString()
        .contains(reason);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void withoutTheLibraryThereIsOneLine() throws IOException, InterruptedException {
    // An empty file where the dynamic linker looks first: as good as no library.
    Files.createFile(directory.resolve("libibverbs.so.1"));
    List<String> lines =
        run(
            JAVA,
            Map.of("LD_LIBRARY_PATH", directory.toString()),
            "--enable-native-access=ALL-UNNAMED");
    assertOneLine(lines, "libibverbs.so.1");
  }

  @Test
  void withoutPermissionThereIsOneLine() throws IOException, InterruptedException {
    Assumptions.assumeTrue(Runtime.version().feature() >= 24, "the option is of JDK 24");
    List<String> lines = run(JAVA, Map.of(), "--illegal-native-access=deny");
    assertOneLine(lines, "Illegal native access");
  }

  /** The class that the service loader loads is one of JDK 17, in which the test cannot run. */
  @Test
  void olderJvmsCanLoadTheProvider() throws IOException {
    assertThat(classFileVersion("NativeVerbsProvider.class")).isEqualTo(61);
  }

  private static int classFileVersion(String name) throws IOException {
    try (var in = NativeVerbsProvider.class.getResourceAsStream(name)) {
      byte[] start = in.readNBytes(8);
      return start[6] << 8 | start[7];
    }
  }
}
