// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Another JVM like this one, with the same class path. Its standard input ends with this one. */
final class ChildJvm implements AutoCloseable {
  private final Process process;
  private final String what;

  /**
   * Starts it.
   *
   * @param jvmOptions for example {@code -Xmx1g}
   * @param main whose method it runs
   */
  ChildJvm(List<String> jvmOptions, Class<?> main, String... arguments) throws IOException {
    what = main.getSimpleName() + " " + String.join(" ", arguments);
    List<String> command = new ArrayList<>();
    command.add(executable());
    command.add("-Xshare:auto");
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", ownClassPath(), main.getName()));
    command.addAll(List.of(arguments));
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /** The program that runs this JVM. */
  static String executable() {
    return System.getProperty("java.home") + "/bin/java";
  }

  /** The class path of this JVM. */
  static String ownClassPath() {
    return System.getProperty("java.class.path");
  }

  /** The first line it prints, which it does when it has done what is waited for. */
  String firstLine() throws IOException {
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    String line = lines.readLine();
    if (line == null) {
      throw new IOException(what + " printed nothing");
    }
    return line;
  }

  /** Waits for its end, which is to be a good one. */
  void await() throws IOException {
    try {
      int exitCode = process.waitFor();
      if (exitCode != 0) {
        throw new IOException(what + " ended with " + exitCode);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException(what + " was waited for when this thread was interrupted", interrupted);
    }
  }

  /** Ends it, if it has not ended. */
  @Override
  public void close() {
    process.destroyForcibly();
  }
}
