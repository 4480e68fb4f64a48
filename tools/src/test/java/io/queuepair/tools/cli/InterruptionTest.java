// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tools.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ctrl-C during long work prints what has been done, and how to go on. */
@EnabledOnOs({OS.LINUX, OS.MAC})
final class InterruptionTest {
  private static final int INTERRUPTED = 130;

  /** Of signal 2 in a mask of the kernel. */
  private static final long INTERRUPT_BIT = 1 << 1;

  /** Standard output of a command that gets the signal INT as soon as it shows progress. */
  private static List<String> interrupted(String... args) throws Exception {
    List<String> command = new ArrayList<>();
    if (isInterruptIgnored()) {
      command.addAll(List.of("env", "--default-signal=INT"));
    }
    command.addAll(List.of(System.getProperty("java.home") + "/bin/java", "-XX:-UsePerfData"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(args));
    Process process = new ProcessBuilder(command).start();
    try (BufferedReader err = process.errorReader();
        BufferedReader out = process.inputReader()) {
      awaitProgress(err);
      String pid = Long.toString(process.pid());
      new ProcessBuilder("kill", "-INT", pid).inheritIO().start().waitFor();
      List<String> lines = out.lines().toList();
      assertThat(process.waitFor()).isEqualTo(INTERRUPTED);
      return lines;
    } finally {
      process.destroyForcibly();
    }
  }

  /** Shells let what runs in the background ignore the signal, and so do its children. */
  private static boolean isInterruptIgnored() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return false;
    }
    String ignored =
        Files.readAllLines(status).stream()
            .filter(line -> line.startsWith("SigIgn:"))
            .map(line -> line.substring("SigIgn:".length()).strip())
            .findFirst()
            .orElse("0");
    return (Long.parseUnsignedLong(ignored, 16) & INTERRUPT_BIT) != 0;
  }

  private static void awaitProgress(BufferedReader err) throws IOException {
    int next = err.read();
    while (next >= 0 && next != '%') {
      next = err.read();
    }
    assertThat(next).as("progress on standard error").isEqualTo('%');
  }

  @ParameterizedTest
  @CsvSource({
    "simulate --seeds 1..1000000 --progress,"
        + " interrupted after seed (\\d+); go on with: queuepair simulate --seeds \\d+..1000000 .*,"
        + " seeds=\\d+ failures=0 .*",
    "fuzz --datagrams 900000000 --progress,"
        + " interrupted after (\\d+)00000 datagrams; go on with: queuepair fuzz --datagrams"
        + " \\d+00000 --seed \\d+,"
        + " datagrams=\\d+ accepted=.* violations=0 trace=.*"
  })
  void printsWhatIsDoneAndHowToGoOn(String command, String goOn, String totals) throws Exception {
    List<String> lines = interrupted(command.split(" ", -1));

    assertThat(lines.get(lines.size() - 2)).matches(goOn);
    assertThat(lines.get(lines.size() - 1)).matches(totals);
  }
}
