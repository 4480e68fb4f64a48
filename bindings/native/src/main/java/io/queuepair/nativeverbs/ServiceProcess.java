// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Starts the service: a process with the emulated devices of this host, to which any number of
 * programs attach.
 */
public final class ServiceProcess {
  /** Refusal of a request if no service runs. */
  static final String NONE = "no service runs: queuepair service start";

  /** Name of the line that tells why a service does not start. */
  static final String ERROR = "error";

  /** File with the variables of the user's service; one such service runs for each user. */
  private static final String KEPT = "service";

  /** Beginnings of the options for services that end soon; one that stays optimizes more. */
  private static final List<String> FOR_SHORT_JOBS =
      List.of("-XX:TieredStopAtLevel=", "-XX:CompileCommand=");

  private ServiceProcess() {}

  /**
   * Finds a service, or starts one that ends after this process and all programs that use it. In
   * the standard environment, the service that this process is attached to is used, or else that of
   * the user.
   *
   * @param environment of the devices
   * @return environment variables with which programs attach
   * @throws NativeException with the reason if there is no service
   */
  public static Map<String, String> attachedOrNew(ProgramEnvironment environment) {
    return preloaded(
        attached(environment)
            .orElseGet(() -> start(environment, ProcessHandle.current().pid(), System.getenv())));
  }

  /**
   * Does the same as {@link #attachedOrNew}, but runs a new service in this process.
   *
   * @param environment of the devices
   * @param process after which it ends, when all programs that use it have ended, too
   * @param starter gets lines with the variables, then an empty line
   * @throws NativeException with the reason if there is no service
   */
  public static void attachOrServe(
      ProgramEnvironment environment, long process, Consumer<String> starter) {
    Optional<Map<String, String>> attached = attached(environment);
    if (attached.isPresent()) {
      attached.get().forEach((name, value) -> starter.accept(name + "=" + value));
      starter.accept("");
      return;
    }
    Path library = library();
    HostService.serve(library, environment.settings(), process, starter);
  }

  private static Optional<Map<String, String>> attached(ProgramEnvironment environment) {
    if (!environment.equals(ProgramEnvironment.standard())) {
      return Optional.empty();
    }
    Map<String, String> present = System.getenv();
    if (present.containsKey(Variables.SERVICE) && ServiceClient.of(present).isAlive()) {
      Map<String, String> same = new TreeMap<>(present);
      same.keySet().removeIf(name -> !name.startsWith(Variables.PREFIX));
      return Optional.of(same);
    }
    return Files.exists(kept())
        ? Optional.of(readKept()).filter(kept -> ServiceClient.of(kept).isAlive())
        : Optional.empty();
  }

  /**
   * Starts the service of the user, which runs until it is stopped.
   *
   * @param environment of its devices
   * @throws NativeException with the reason if one runs already, or it cannot start
   */
  public static void startKept(ProgramEnvironment environment) {
    Path kept = kept();
    if (Files.exists(kept) && ServiceClient.of(readKept()).isAlive()) {
      throw new NativeException("a service of this user runs already");
    }
    Map<String, String> variables = start(environment, 0, System.getenv());
    List<String> lines =
        variables.entrySet().stream()
            .map(entry -> entry.getKey() + "=" + entry.getValue())
            .toList();
    try {
      Files.deleteIfExists(kept);
      Files.createFile(
          kept, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.write(kept, lines);
    } catch (IOException unwritable) {
      throw new NativeException(kept + " cannot be written: " + unwritable, unwritable);
    }
  }

  /**
   * Returns the variables with which programs attach to the service of the user.
   *
   * @return variables that {@link #startKept} has written, and those that load the library
   * @throws NativeException if there is no service
   */
  public static Map<String, String> keptVariables() {
    Map<String, String> kept = readKept();
    if (!ServiceClient.of(kept).isAlive()) {
      throw new NativeException(NONE);
    }
    return preloaded(kept);
  }

  private static Map<String, String> preloaded(Map<String, String> variables) {
    Map<String, String> all = new LinkedHashMap<>(variables);
    Path library = Path.of(all.get(Variables.LIBRARY));
    all.put(Variables.PRELOAD, ProgramEnvironment.preload(library, System.getenv()));
    all.put(Variables.ASAN_OPTIONS, asanOptions(System.getenv()));
    return all;
  }

  /**
   * Options of ASan that let the library be loaded first. The library says the same by {@code
   * __asan_default_options}, but a program that defines that function overrides it.
   */
  private static String asanOptions(Map<String, String> present) {
    String before = present.getOrDefault(Variables.ASAN_OPTIONS, "");
    String own = "verify_asan_link_order=0";
    return before.isEmpty() || before.equals(own) ? own : own + ":" + before;
  }

  private static Map<String, String> readKept() {
    Map<String, String> variables = new LinkedHashMap<>();
    try {
      for (String line : Files.readAllLines(kept())) {
        String[] parts = line.split("=", 2);
        variables.put(parts[0], parts[1]);
      }
      return variables;
    } catch (IOException none) {
      throw new NativeException(NONE, none);
    }
  }

  /**
   * Sends a request to the service that this process is attached to, or else to that of the user.
   *
   * @param request such as status or stop
   * @return the answer, lines of text
   * @throws NativeException if there is no service, or it refuses the request
   */
  public static String ask(String request) {
    return ServiceClient.of(variables()).ask(request);
  }

  private static Map<String, String> variables() {
    Map<String, String> present = System.getenv();
    return present.containsKey(Variables.SERVICE) ? present : readKept();
  }

  /**
   * Stops the service that this process is attached to, or else the one that was started to stay,
   * and forgets that one if it is stopped.
   *
   * @throws NativeException if there is no service
   */
  public static void stop() {
    Map<String, String> stopped = variables();
    ServiceClient.of(stopped).ask("stop");
    try {
      if (Files.exists(kept())
          && readKept().get(Variables.SERVICE).equals(stopped.get(Variables.SERVICE))) {
        Files.deleteIfExists(kept());
      }
    } catch (IOException unwritable) {
      throw new NativeException(kept() + " cannot be removed: " + unwritable, unwritable);
    }
  }

  private static Path kept() {
    return cache().directory().resolve(KEPT);
  }

  static CacheDirectory cache() {
    return CacheDirectory.ofUser(System.getenv(), System.getProperty("user.home"));
  }

  /**
   * The library, loaded by this process.
   *
   * @throws NativeException if there is none, or it does not load
   */
  static Path library() {
    Path library = NativeLibrary.in(cache(), System.getenv().getOrDefault("PATH", ""));
    if (!CacheDirectory.isPreloadable(library.toString())) {
      throw new NativeException(
          "LD_PRELOAD cannot name "
              + library
              + ": set XDG_CACHE_HOME to a directory without spaces and colons in its path");
    }
    try {
      System.load(library.toString());
    } catch (UnsatisfiedLinkError refused) {
      throw new NativeException(
          "the library does not load, as on a file system that is mounted noexec ("
              + CacheDirectory.REMEDY
              + "): "
              + refused.getMessage(),
          refused);
    }
    return library;
  }

  /** Starts a service; {@code present} may have options of its JVM. */
  static Map<String, String> start(
      ProgramEnvironment environment, long process, Map<String, String> present) {
    List<String> command = new ArrayList<>();
    // The parent is a shell that ends: programs wait for their children, but not for the service.
    command.addAll(List.of("/bin/sh", "-c", "\"$@\" & read line", "sh"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    NativeLibrary.read("service.options")
        .lines()
        .filter(line -> !line.startsWith("#"))
        .filter(line -> process != 0 || FOR_SHORT_JOBS.stream().noneMatch(line::startsWith))
        .forEach(command::add);
    Stream.of(present.getOrDefault(Variables.JAVA_OPTS, "").split("\\s+", -1))
        .filter(option -> !option.isEmpty())
        .forEach(command::add);
    command.add("-cp");
    command.add(String.join(File.pathSeparator, ProgramEnvironment.classPath()));
    command.add(HostService.class.getName());
    command.add(Long.toString(process));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().remove(Variables.PRELOAD);
    builder.environment().keySet().removeIf(name -> name.startsWith(Variables.PREFIX));
    builder.environment().putAll(environment.settings());
    try {
      Process starter = builder.start();
      try {
        return read(starter.inputReader(StandardCharsets.UTF_8));
      } finally {
        starter.getOutputStream().close(); // The shell ends then.
        starter.waitFor();
      }
    } catch (IOException | InterruptedException impossible) {
      throw new NativeException("the service cannot be started: " + impossible, impossible);
    }
  }

  private static Map<String, String> read(BufferedReader output) throws IOException {
    Map<String, String> variables = new LinkedHashMap<>();
    try (output) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        if (line.isEmpty()) {
          return variables;
        }
        String[] parts = line.split("=", 2);
        if (parts[0].equals(ERROR)) {
          throw new NativeException(parts[1]);
        }
        variables.put(parts[0], parts[1]);
      }
    }
    throw new NativeException("the service does not start");
  }
}
