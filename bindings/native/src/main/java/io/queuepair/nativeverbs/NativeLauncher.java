// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Starts a program on an emulated device, in place of this process. */
public final class NativeLauncher {
  private NativeLauncher() {}

  /**
   * Replaces this process by the program, which keeps its process id, open files and terminal. The
   * library starts the program, and prints a line if it cannot.
   *
   * @param variables environment variables that select the device
   * @param command the program and its arguments
   * @throws NativeException if the library cannot be started
   */
  public static void exec(Map<String, String> variables, List<String> command) {
    Map<String, String> all = new TreeMap<>(System.getenv());
    all.putAll(variables);
    Path library = ServiceProcess.library();
    List<String> arguments = new ArrayList<>(List.of(library.toString()));
    arguments.addAll(command);
    List<String> settings =
        all.entrySet().stream().map(entry -> entry.getKey() + "=" + entry.getValue()).toList();
    int errno =
        exec(
            words(arguments),
            arguments.size(),
            words(settings),
            settings.size(),
            words(List.of(System.getProperty("java.home"))));
    throw new NativeException(library + " cannot be run: errno " + errno);
  }

  /** Joins words, each followed by a zero byte. */
  private static ByteBuffer words(List<String> words) {
    byte[] bytes = (String.join("\0", words) + "\0").getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocateDirect(bytes.length).put(bytes);
  }

  private static native int exec(
      ByteBuffer arguments,
      int argumentCount,
      ByteBuffer environment,
      int variableCount,
      ByteBuffer javaHome);
}
