// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tools.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ctrl-C during long work prints what has been done, and how to go on. */
@EnabledOnOs({OS.LINUX, OS.MAC})
@Tag("processes")
final class InterruptionTest {
  private static final int INTERRUPTED = 130;

  /** Of signal 2 in a mask of the kernel. */
  private static final long INTERRUPT_BIT = 1 << 1;

  private static final String[] BENCH = {
    "bench", "--warmup", "0", "--progress", "--rows", "mem-send-64b,mem-write-8b,mem-connect"
  };

  /** Whom Ctrl-C reaches. */
  private enum Reach {
    /** The process of the command, by its number. */
    COMMAND,
    /** The JVM that it has started, too, as on a terminal. */
    COMMAND_AND_CHILD
  }

  /** Standard output of a command that gets the signal INT as soon as it shows progress. */
  private static List<String> interrupted(String... args) throws Exception {
    try (Running running = Running.of(args)) {
      running.await('%');
      running.interrupt();
      return running.output();
    }
  }

  /** Interrupts a benchmark whose first row is being measured. */
  private static List<String> interruptedRow(Reach reach) throws Exception {
    try (Running running = Running.of(BENCH)) {
      running.await('%');
      ProcessHandle child = running.awaitChild();
      running.interrupt();
      running.await(':');
      if (reach == Reach.COMMAND_AND_CHILD) {
        child.destroy();
      }
      return running.output();
    }
  }

  /** A command in a process of its own. */
  private record Running(Process process, BufferedReader out, BufferedReader err)
      implements AutoCloseable {
    static Running of(String... args) throws IOException {
      List<String> command = new ArrayList<>();
      if (isInterruptIgnored()) {
        command.addAll(List.of("env", "--default-signal=INT"));
      }
      command.addAll(List.of(System.getProperty("java.home") + "/bin/java", "-XX:-UsePerfData"));
      command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
      command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
      command.addAll(List.of(args));
      Process process = new ProcessBuilder(command).start();
      return new Running(process, process.inputReader(), process.errorReader());
    }

    void await(char expected) throws IOException {
      int next = err.read();
      while (next >= 0 && next != expected) {
        next = err.read();
      }
      assertThat(next).as("'%s' on standard error", expected).isEqualTo(expected);
    }

    ProcessHandle awaitChild() {
      Optional<ProcessHandle> child = process.children().findAny();
      while (child.isEmpty()) {
        assertThat(process.isAlive()).as("the command is at work").isTrue();
        Thread.onSpinWait();
        child = process.children().findAny();
      }
      return child.get();
    }

    void interrupt() throws IOException, InterruptedException {
      String pid = Long.toString(process.pid());
      new ProcessBuilder("kill", "-INT", pid).inheritIO().start().waitFor();
    }

    List<String> output() throws InterruptedException {
      List<String> lines = out.lines().toList();
      assertThat(process.waitFor()).isEqualTo(INTERRUPTED);
      return lines;
    }

    @Override
    public void close() throws IOException {
      process.destroyForcibly();
      out.close();
      err.close();
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

  @ParameterizedTest
  @ValueSource(strings = {"", " --cm"})
  void printsWhatIsDoneAndHowToGoOn(String kind) throws Exception {
    List<String> lines =
        interrupted(("simulate --seeds 1..1000000 --progress" + kind).split(" ", -1));

    assertThat(lines.get(lines.size() - 2))
        .matches(
            "interrupted after seed \\d+; go on with: queuepair simulate --seeds \\d+..1000000 *"
                + kind.strip()
                + ".*");
    assertThat(lines.get(lines.size() - 1)).matches("seeds=\\d+ failures=0 .*");
  }

  /** A terminal sends the signal to the JVM of the row, too, which then is not measured. */
  @ParameterizedTest
  @CsvSource({
    "COMMAND, 1, 'mem-write-8b,mem-connect'",
    "COMMAND_AND_CHILD, 0, 'mem-send-64b,mem-write-8b,mem-connect'"
  })
  void aBenchmarkEndsWithTheRowThatIsBeingMeasured(Reach reach, int done, String left)
      throws Exception {
    List<String> lines = interruptedRow(reach);

    assertThat(lines.stream().filter(line -> line.startsWith("| mem-send-64b "))).hasSize(done);
    assertThat(lines)
        .last()
        .isEqualTo(
            "interrupted after %d of 3 rows; go on with: queuepair bench --rows %s"
                .formatted(done, left));
  }
}
