// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.serve;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Runs each scenario in a new JVM: one that takes too long is killed, one that needs too much
 * memory exits, and the server continues. No argument of the process comes from a request.
 */
final class ScenarioProcesses implements UntrustedRuns {
  private static final int MOST_OUTPUT_BYTES = 8 << 20;
  private static final int MEMORY_MEBIBYTES = 128;

  private final Duration limit;

  ScenarioProcesses(Duration limit) {
    this.limit = limit;
  }

  @Override
  public RunAnswer run(String text) {
    try {
      return runOne(text);
    } catch (IOException broken) {
      return RunAnswer.failed("The run could not be started or has ended early");
    }
  }

  private static List<String> command() {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xshare:auto",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-XX:-UsePerfData",
        "-XX:+ExitOnOutOfMemoryError",
        "-Xmx" + MEMORY_MEBIBYTES + "m",
        "-XX:MaxDirectMemorySize=" + MEMORY_MEBIBYTES + "m",
        "-cp",
        System.getProperty("java.class.path"),
        PlaygroundProcess.class.getName());
  }

  private RunAnswer runOne(String text) throws IOException {
    Process process =
        new ProcessBuilder(command()).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    Executor later = CompletableFuture.delayedExecutor(limit.toMillis(), TimeUnit.MILLISECONDS);
    CompletableFuture<Process> kill =
        CompletableFuture.supplyAsync(process::destroyForcibly, later);
    try {
      byte[] answer = exchange(process, text);
      boolean isComplete = answer.length <= MOST_OUTPUT_BYTES;
      if (!isComplete) {
        return RunAnswer.failed("The run says more than " + (MOST_OUTPUT_BYTES >> 20) + " MiB");
      }
      int exitCode = process.onExit().join().exitValue();
      return kill.isDone() ? tooLong() : answer(exitCode, answer);
    } catch (IOException broken) {
      if (kill.isDone()) {
        return tooLong();
      }
      throw broken;
    } finally {
      kill.cancel(false);
      process.destroyForcibly();
    }
  }

  private RunAnswer tooLong() {
    return RunAnswer.failed("The run took more than " + limit.toSeconds() + " s and was ended");
  }

  private static byte[] exchange(Process process, String text) throws IOException {
    try (OutputStream input = process.getOutputStream()) {
      input.write(text.getBytes(StandardCharsets.UTF_8));
    }
    try (InputStream output = process.getInputStream()) {
      return output.readNBytes(MOST_OUTPUT_BYTES + 1);
    }
  }

  private static RunAnswer answer(int exitCode, byte[] answer) throws IOException {
    if (exitCode == PlaygroundProcess.OUT_OF_MEMORY) {
      return RunAnswer.failed("The run needs more memory than " + MEMORY_MEBIBYTES + " MiB");
    }
    return exitCode == 0
        ? RunAnswer.ofJson(new String(answer, StandardCharsets.UTF_8))
        : RunAnswer.failed("The run ended with an error of this program, not of the scenario");
  }
}
