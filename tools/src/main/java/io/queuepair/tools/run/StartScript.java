// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.run;

import io.queuepair.tools.cli.CommandFailure;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
    try (FileOutputStream pipe = new FileOutputStream(PIPE)) {
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
    try (FileOutputStream pipe = new FileOutputStream(PIPE)) {
      pipe.write(("exit=" + exitCode + "\n").getBytes(StandardCharsets.US_ASCII));
    } catch (IOException gone) {
      return; // The script has executed the program.
    }
  }
}
