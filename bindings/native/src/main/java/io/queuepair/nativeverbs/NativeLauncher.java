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
   * Becomes the program: its process has the number, the files and the terminal of this one. The
   * library starts it, and says in a line if it cannot be run so.
   *
   * @param variables that say on which device
   * @param command the program and its arguments
   * @throws NativeException if the library cannot be started
   */
  public static void exec(Map<String, String> variables, List<String> command) {
    Map<String, String> all = new TreeMap<>(System.getenv());
    all.putAll(variables);
    Path library = ServiceProcess.library();
    System.load(library.toString());
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

  /** Words, each of which ends with a zero byte. */
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
