// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.run;

import io.queuepair.tools.cli.CommandFailure;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;

/**
 * Connection to the script {@code bin/queuepair}, if that has started this JVM as the service. The
 * script reads variables from a pipe and then executes the program, or reads an exit code and
 * exits.
 */
public final class StartScript {
  private static final String PIPE = "/proc/self/fd/3";

  private StartScript() {}

  /** Process id of the script, which becomes that of the program. */
  static OptionalLong process() {
    String process = System.getProperty("queuepair.script");
    return process == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(process));
  }

  static void print(String line) {
    try (OutputStream pipe = open()) {
      pipe.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException gone) {
      throw new CommandFailure("the script that waits for a service is gone", gone);
    }
  }

  /** Makes the script exit with a code, if there is one and it still waits. */
  public static void exit(int exitCode) {
    if (process().isEmpty()) {
      return;
    }
    try (OutputStream pipe = open()) {
      pipe.write(("exit=" + exitCode + "\n").getBytes(StandardCharsets.US_ASCII));
    } catch (IOException gone) {
      return; // The script has executed the program.
    }
  }

  /** Opens the pipe; if descriptor 3 is a file, as of a JVM that no script has started, fails. */
  private static OutputStream open() throws IOException {
    Path pipe = Path.of(PIPE);
    if (Files.isRegularFile(pipe)) {
      throw new NoSuchFileException(PIPE);
    }
    return Files.newOutputStream(pipe, StandardOpenOption.WRITE);
  }
}
