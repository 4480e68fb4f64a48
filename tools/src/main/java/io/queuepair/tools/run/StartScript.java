// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.run;

import io.queuepair.tools.cli.CommandFailure;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;

/**
 * The script {@code bin/queuepair}, where it has started this JVM to become the service: it becomes
 * the program then, with the variables that it reads from its pipe, or exits with the code there.
 */
public final class StartScript {
  private static final String PIPE = "/proc/self/fd/3";

  private StartScript() {}

  /** Its process, which becomes the program. */
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

  /** Lets the script, if there is one that still waits, exit. */
  public static void exit(int exitCode) {
    if (process().isEmpty()) {
      return;
    }
    try (FileOutputStream pipe = new FileOutputStream(PIPE)) {
      pipe.write(("exit=" + exitCode + "\n").getBytes(StandardCharsets.US_ASCII));
    } catch (IOException gone) {
      return; // It has become a program.
    }
  }
}
