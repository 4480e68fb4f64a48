// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.support;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command in a process whose files are as if the disk were full after their first KiB. */
public record LimitedProcess(int exitCode, String output) {
  /** Whether this system has what it takes. */
  public static boolean isPossible() {
    return Files.isExecutable(Path.of("/bin/bash")) && Files.exists(Path.of("/dev/full"));
  }

  /** Runs the command to its end. */
  public static LimitedProcess of(String... args) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("/bin/bash", "-c", "ulimit -f 1; exec \"$0\" \"$@\""));
    command.addAll(List.of(System.getProperty("java.home") + "/bin/java", "-XX:-UsePerfData"));
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), "io.queuepair.tools.Main"));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("LC_ALL", "C.UTF-8");
    // A JVM says that it has read this.
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new LimitedProcess(process.waitFor(), output);
  }
}
