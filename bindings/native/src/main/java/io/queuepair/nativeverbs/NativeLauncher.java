// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Starts a program on an emulated device, in place of this process. */
public final class NativeLauncher {
  private static final int ELF_HEADER = 64;
  private static final int DYNAMIC_HEADER = 3;

  private NativeLauncher() {}

  /**
   * Becomes the program: its process has the number, the files and the terminal of this one.
   *
   * @param added makes the variables that say on which device, once it is known that it can be run
   * @param command the program and its arguments
   * @throws NativeException if it cannot be run so; it says why
   */
  public static void exec(Supplier<Map<String, String>> added, List<String> command) {
    Map<String, String> variables = new TreeMap<>(System.getenv());
    Path program = find(command.get(0), variables.getOrDefault("PATH", ""));
    refuseUnsuitable(program);
    variables.putAll(added.get());
    String preload = variables.get(Variables.PRELOAD);
    System.load(preload.split(":", 2)[0]);
    List<String> settings =
        variables.entrySet().stream()
            .map(entry -> entry.getKey() + "=" + entry.getValue())
            .toList();
    int errno =
        exec(
            words(List.of(program.toString())),
            words(command),
            words(settings),
            words(List.of(System.getProperty("java.home"))));
    throw new NativeException(program + " cannot be run: errno " + errno);
  }

  /** Words with a zero byte behind each, and one more. */
  private static ByteBuffer words(List<String> words) {
    byte[] bytes = (String.join("\0", words) + "\0\0").getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocateDirect(bytes.length).put(bytes);
  }

  private static native int exec(
      ByteBuffer program, ByteBuffer arguments, ByteBuffer environment, ByteBuffer javaHome);

  private static Path find(String name, String search) {
    if (name.contains("/")) {
      return existing(Path.of(name));
    }
    for (String directory : search.split(":", -1)) {
      Path candidate = Path.of(directory.isEmpty() ? "." : directory, name);
      if (Files.isExecutable(candidate) && !Files.isDirectory(candidate)) {
        return candidate;
      }
    }
    throw new NativeException(name + " is not found on the PATH");
  }

  private static Path existing(Path program) {
    if (!Files.isExecutable(program) || Files.isDirectory(program)) {
      throw new NativeException(program + " does not exist, or is no program");
    }
    return program;
  }

  /** Refuses programs that the dynamic linker loads no library into: they would see no device. */
  private static void refuseUnsuitable(Path program) {
    try (InputStream file = Files.newInputStream(program)) {
      if (Files.getPosixFilePermissions(program).contains(PosixFilePermission.OWNER_EXECUTE)
          && isPrivileged(program)) {
        throw new NativeException(
            program + " is setuid or setgid: the dynamic linker loads no library into it");
      }
      if (isStatic(file.readAllBytes())) {
        throw new NativeException(
            program + " is linked statically: no library can be loaded into it");
      }
    } catch (IOException unreadable) {
      // A program may be run without being read; then nothing is known.
      return;
    }
  }

  private static boolean isPrivileged(Path program) throws IOException {
    int mode = (int) Files.getAttribute(program, "unix:mode");
    int owner = (int) Files.getAttribute(program, "unix:uid");
    int user = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    return (mode & 06000) != 0 && owner != user;
  }

  /** Whether a file is an ELF program of 64 bits that names no dynamic linker. */
  private static boolean isStatic(byte[] file) {
    ByteBuffer elf = ByteBuffer.wrap(file).order(ByteOrder.nativeOrder());
    if (file.length < ELF_HEADER || elf.getInt(0) != elfMagic() || file[4] != 2) {
      return false;
    }
    long headers = elf.getLong(32);
    int size = Short.toUnsignedInt(elf.getShort(54));
    int count = Short.toUnsignedInt(elf.getShort(56));
    for (int i = 0; i < count; i++) {
      long at = headers + (long) i * size;
      if (at < 0 || at + Integer.BYTES > file.length || elf.getInt((int) at) == DYNAMIC_HEADER) {
        return false;
      }
    }
    return true;
  }

  private static int elfMagic() {
    return ByteBuffer.wrap(new byte[] {0x7f, 'E', 'L', 'F'})
        .order(ByteOrder.nativeOrder())
        .getInt(0);
  }
}
