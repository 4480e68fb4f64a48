// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The C library. An installation has it beside the JAR; the JAR of a release contains it. Otherwise
 * the compiler of the system compiles it at first use, from the sources beside this class; it needs
 * no headers but those of libc.
 */
final class NativeLibrary {
  /** Resource with the names of all source files, one a line. */
  private static final String SOURCES = "sources";

  private static final String FILE_NAME = "libqueuepair-verbs.so";
  private static final long MINUTES = 2;

  private static final List<String> FLAGS =
      List.of(
          "-std=gnu11",
          "-O2",
          "-fPIC",
          "-shared",
          "-fvisibility=hidden",
          "-ftls-model=initial-exec",
          "-foptimize-sibling-calls",
          "-Wl,-z,defs",
          "-Wl,-e,launcher_entry",
          "-pthread");

  private NativeLibrary() {}

  /**
   * Path of the library, compiled now unless it is installed, in the JAR or in the cache.
   *
   * @param search directories of programs, as in PATH
   * @throws NativeException if there is no compiler, or it fails
   */
  static Path in(CacheDirectory cache, String search) {
    Path installed = Path.of(ProgramEnvironment.classPath().get(0)).resolveSibling(FILE_NAME);
    if (Files.exists(installed)) {
      return CacheDirectory.isPreloadable(installed.toString())
          ? installed
          : cache
              .entry("library", List.of(build()), into -> copy(installed, into))
              .resolve(FILE_NAME);
    }
    Path carried = carried(cache);
    if (carried != null) {
      return carried;
    }
    Path compiler = compiler(search);
    List<String> flags = new ArrayList<>(FLAGS);
    flags.add("-DQUEUEPAIR_BUILD=\"" + build() + "\"");
    List<String> madeFrom = new ArrayList<>(flags);
    madeFrom.add(identity(compiler));
    Path entry = cache.entry("library", madeFrom, into -> compile(compiler, flags, into));
    return entry.resolve(FILE_NAME);
  }

  private static void copy(Path library, Path into) throws IOException {
    Files.copy(library, into.resolve(FILE_NAME), StandardCopyOption.COPY_ATTRIBUTES);
  }

  /**
   * Library in the JAR of a release, or null. It must be built for this machine, from these very
   * sources, and must load here: an old glibc may lack symbols that it needs.
   */
  private static Path carried(CacheDirectory cache) {
    String directory = "prebuilt/linux-" + System.getProperty("os.arch");
    byte[] library = bytes(directory + "/" + FILE_NAME);
    byte[] madeFrom = bytes(directory + "/sources.sha256");
    String own = build();
    if (library == null
        || madeFrom == null
        || !new String(madeFrom, StandardCharsets.UTF_8).startsWith(own)) {
      return null;
    }
    Path entry =
        cache.entry(
            "library",
            List.of(directory, own),
            into -> Files.write(into.resolve(FILE_NAME), library));
    try {
      System.load(entry.resolve(FILE_NAME).toString());
      return entry.resolve(FILE_NAME);
    } catch (UnsatisfiedLinkError tooNew) {
      return null;
    }
  }

  /** Digest of the sources; programs and their service must have the same. */
  static String build() {
    return Build.DIGEST;
  }

  /** The digest, computed at most once: it takes a cold JVM some milliseconds. */
  private static final class Build {
    static final String DIGEST =
        CacheDirectory.digest(List.of(String.join("", sources().values())));

    private Build() {}
  }

  private static byte[] bytes(String name) {
    try (InputStream stream = NativeLibrary.class.getResourceAsStream(name)) {
      return stream == null ? null : stream.readAllBytes();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Texts of all source files, by name. */
  static Map<String, String> sources() {
    Map<String, String> sources = new LinkedHashMap<>();
    read(SOURCES).lines().forEach(name -> sources.put(name, read(name)));
    return sources;
  }

  /** Text of a file beside this class. */
  static String read(String name) {
    try (InputStream stream = NativeLibrary.class.getResourceAsStream(name)) {
      if (stream == null) {
        throw new IllegalStateException("the archive lacks " + name);
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static Path compiler(String search) {
    for (String name : List.of("cc", "gcc", "clang")) {
      for (String directory : search.split(":", -1)) {
        Path candidate = Path.of(directory.isEmpty() ? "." : directory, name);
        if (Files.isExecutable(candidate) && !Files.isDirectory(candidate)) {
          return candidate.toAbsolutePath();
        }
      }
    }
    throw new NativeException(
        "no C compiler is on the PATH, which is needed once (Debian, Ubuntu: apt-get install gcc"
            + " libc6-dev; Fedora: dnf install gcc)");
  }

  /** Identifies a compiler: another one makes another library. */
  private static String identity(Path compiler) {
    try {
      Path real = compiler.toRealPath();
      return real + " " + Files.size(real) + " " + Files.getLastModifiedTime(real);
    } catch (IOException unreadable) {
      return compiler.toString();
    }
  }

  private static void compile(Path compiler, List<String> flags, Path into) throws IOException {
    List<String> command = new ArrayList<>(List.of(compiler.toString()));
    command.addAll(flags);
    command.addAll(List.of("-o", FILE_NAME));
    for (Map.Entry<String, String> source : sources().entrySet()) {
      Files.writeString(into.resolve(source.getKey()), source.getValue());
      if (source.getKey().endsWith(".c")) {
        command.add(source.getKey());
      }
    }
    command.add("-ldl");
    String output = run(command, into);
    if (!Files.exists(into.resolve(FILE_NAME))) {
      throw new NativeException("the C compiler fails: " + output.strip());
    }
  }

  private static String run(List<String> command, Path directory) throws IOException {
    Path log = directory.resolve("compiler.log");
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new NativeException("the C compiler has not ended after " + MINUTES + " minutes");
      }
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new NativeException("interrupted while the C compiler was running", interrupted);
    }
    return Files.readString(log);
  }
}
