// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Starts the service: a process with the emulated device of this host, to which any number of
 * programs attach.
 */
public final class ServiceProcess {
  /** One of these runs for each user. */
  private static final String KEPT = "service";

  private static final List<String> JVM_OPTIONS =
      List.of(
          "-Xmx1g",
          "-XX:+UseSerialGC",
          "-XX:-UsePerfData",
          "-Xshare:auto",
          "-Dio.netty.machineId=00:00:00:00:00:00:00:00");

  /** Compiles soon rather than well: most services end before that pays. */
  private static final String FOR_SHORT_JOBS = "-XX:TieredStopAtLevel=1";

  private ServiceProcess() {}

  /**
   * The service of this environment, if it has one and nothing else is asked for; or one that ends
   * with this process, when all programs that use it have ended, too.
   *
   * @param environment of the device
   * @return the variables to be added, with which programs attach to it
   * @throws NativeException if it cannot be had; it says why
   */
  public static Map<String, String> attachedOrNew(ProgramEnvironment environment) {
    Map<String, String> present = System.getenv();
    boolean isInside =
        environment.equals(ProgramEnvironment.standard())
            && present.containsKey(Variables.SERVICE)
            && ServiceClient.of(present).isAlive();
    if (isInside) {
      return Map.of();
    }
    return start(environment, ProcessHandle.current().pid());
  }

  /**
   * Starts the service of the user, which runs until it is stopped.
   *
   * @param environment of its device
   * @throws NativeException if there is one already, or it cannot be had; it says why
   */
  public static void startKept(ProgramEnvironment environment) {
    Path kept = kept();
    if (Files.exists(kept) && ServiceClient.of(keptVariables()).isAlive()) {
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
    Map<String, String> variables = new LinkedHashMap<>();
    try {
      for (String line : Files.readAllLines(kept())) {
        String[] parts = line.split("=", 2);
        variables.put(parts[0], parts[1]);
      }
      return variables;
    } catch (IOException none) {
      throw new NativeException("no service runs: queuepair service start", none);
    }
  }

  /**
   * Asks the service of the user.
   *
   * @param request status or stop
   * @return the answer, a line
   * @throws NativeException if there is no service
   */
  public static String ask(String request) {
    return ServiceClient.of(keptVariables()).ask(request);
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
    Path library = library();
    try {
      Path log = Files.createTempDirectory("queuepair-").resolve("log");
      Map<String, String> variables = run(environment, library, process, log);
      variables.put(Variables.LOG, log.toString());
      variables.put(Variables.PRELOAD, ProgramEnvironment.preload(library, System.getenv()));
      variables.put(Variables.ASAN_OPTIONS, asanOptions(System.getenv()));
      return variables;
    } catch (IOException impossible) {
      throw new NativeException("the service cannot be started: " + impossible, impossible);
    }
  }

  /** The library has the same option, but for programs that have options themselves. */
  private static String asanOptions(Map<String, String> present) {
    String before = present.getOrDefault(Variables.ASAN_OPTIONS, "");
    String own = "verify_asan_link_order=0";
    return before.isEmpty() || before.equals(own) ? own : own + ":" + before;
  }

  private static Map<String, String> run(
      ProgramEnvironment environment, Path library, long process, Path log) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JVM_OPTIONS);
    if (process != 0) {
      command.add(FOR_SHORT_JOBS);
    }
    command.add("-XX:ErrorFile=" + log.resolveSibling("crash.log"));
    command.add("-cp");
    command.add(String.join(File.pathSeparator, ProgramEnvironment.classPath()));
    command.add(HostService.class.getName());
    command.add(library.toString());
    command.add(Long.toString(process));
    command.add(log.toString());
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(new File("/"))
            .redirectInput(new File("/dev/null"))
            .redirectError(log.toFile());
    builder.environment().remove(Variables.PRELOAD);
    builder.environment().remove(Variables.ADDRESS);
    builder.environment().putAll(environment.settings());
    if (!environment.addresses().isEmpty()) {
      builder.environment().put(Variables.ADDRESS, String.join(",", environment.addresses()));
    }
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(builder.start().getInputStream(), StandardCharsets.UTF_8))) {
      Map<String, String> variables = new LinkedHashMap<>();
      for (String line = output.readLine(); ; line = output.readLine()) {
        if (line == null) {
          throw new NativeException(reason(log));
        }
        if (line.isEmpty()) {
          return variables;
        }
        String[] parts = line.split("=", 2);
        variables.put(parts[0], parts[1]);
      }
    }
  }

  private static String reason(Path log) throws IOException {
    return Files.readAllLines(log).stream()
        .filter(line -> line.startsWith("queuepair: "))
        .findFirst()
        .map(line -> line.substring("queuepair: ".length()))
        .orElse("the service does not start; log: " + log);
  }
}
