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

/**
 * Starts the service: a process with the emulated device of this host, to which any number of
 * programs attach.
 */
public final class ServiceProcess {
  /** Refusal of a request where no service runs. */
  static final String NONE = "no service runs: queuepair service start";

  /** Name of the line by which a service that does not start says why. */
  static final String ERROR = "error";

  /** One of these runs for each user. */
  private static final String KEPT = "service";

  /** Of a service that lives long: it compiles well. */
  private static final String FOR_LONG_JOBS = "-XX:TieredStopAtLevel=4";

  private ServiceProcess() {}

  /**
   * The service of this environment, or the one of the user, if there is one and nothing else is
   * asked for; or one that ends with this process, when all programs that use it have ended, too.
   *
   * @param environment of the device
   * @return the variables to be added, with which programs attach to it
   * @throws NativeException if it cannot be had; it says why
   */
  public static Map<String, String> attachedOrNew(ProgramEnvironment environment) {
    return preloaded(
        attached(environment).orElseGet(() -> start(environment, ProcessHandle.current().pid())));
  }

  /**
   * As {@link #attachedOrNew}, but a new service is this process.
   *
   * @param environment of the device
   * @param process with which it ends, when all programs that use it have ended, too
   * @param starter gets the lines with the variables, and an empty one
   * @throws NativeException if it cannot be had; it says why
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
    System.load(library.toString());
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
   * @param environment of its device
   * @throws NativeException if there is one already, or it cannot be had; it says why
   */
  public static void startKept(ProgramEnvironment environment) {
    Path kept = kept();
    if (Files.exists(kept) && ServiceClient.of(readKept()).isAlive()) {
      throw new NativeException("a service of this user runs already");
    }
    Map<String, String> variables = start(environment, 0);
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
   * The variables with which programs attach to the service of the user.
   *
   * @return those that {@link #startKept} has written
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

  /** The library has the same option, but for programs that have options themselves. */
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
   * Asks the service of this environment, or else that of the user.
   *
   * @param request status or stop
   * @return the answer, a line
   * @throws NativeException if there is no service
   */
  public static String ask(String request) {
    Map<String, String> present = System.getenv();
    boolean isInside = present.containsKey(Variables.SERVICE);
    return ServiceClient.of(isInside ? present : readKept()).ask(request);
  }

  /**
   * Ends the service of this environment, or else that of the user.
   *
   * @throws NativeException if there is no service
   */
  public static void stop() {
    ask("stop");
    try {
      Files.deleteIfExists(kept());
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

  static Path library() {
    return NativeLibrary.in(cache(), System.getenv().getOrDefault("PATH", ""));
  }

  private static Map<String, String> start(ProgramEnvironment environment, long process) {
    List<String> command = new ArrayList<>();
    // A shell that has ended is its parent: programs may wait for all children that they have.
    command.addAll(List.of("/bin/sh", "-c", "\"$@\" & read line", "sh"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    NativeLibrary.read("service.options")
        .lines()
        .filter(line -> !line.startsWith("#"))
        .forEach(command::add);
    if (process == 0) {
      command.add(FOR_LONG_JOBS);
    }
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
        starter.getOutputStream().close(); // Its shell ends then.
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
