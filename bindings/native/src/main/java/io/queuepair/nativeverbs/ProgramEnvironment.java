// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.udp.UdpOptions;
import java.io.File;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The environment variables with which a program, and all that it starts, runs on an emulated
 * device. Start from {@link #standard()}.
 *
 * @param addresses of the device; without any a free loopback address is chosen
 * @param profile which device: {@code standard} or {@code soft-roce}
 * @param faults what goes wrong
 * @param capture where packets are captured, or null; {@code {pid}} in it stands for the process
 * @param trace where packets are traced: a file, - for standard error, or null
 * @param explains whether standard error gets the reason of each refusal and failed completion
 * @param showsCoverage whether standard error gets what the device has covered, at the end
 */
public record ProgramEnvironment(
    List<String> addresses,
    String profile,
    FaultPlan faults,
    Path capture,
    String trace,
    boolean explains,
    boolean showsCoverage) {
  /**
   * The options of a JVM in a process that belongs to another program: it leaves signals alone,
   * makes few threads, writes no file, and nothing to standard output.
   */
  private static final List<String> JVM_OPTIONS =
      List.of(
          "-Xrs",
          "-Xss512k",
          "-Xmx256m",
          "-XX:MaxDirectMemorySize=1g",
          "-XX:+UseSerialGC",
          "-XX:-UsePerfData",
          "-XX:+DisableAttachMechanism",
          "-Xshare:auto",
          "-Xlog:disable",
          "-Xlog:all=error:stderr",
          "--enable-native-access=ALL-UNNAMED",
          // Netty would look for an Ethernet address, of which nothing here depends.
          "-Dio.netty.machineId=00:00:00:00:00:00:00:00");

  /**
   * Copies the addresses.
   *
   * @param addresses of the device; without any a free loopback address is chosen
   * @param profile which device: {@code standard} or {@code soft-roce}
   * @param faults what goes wrong
   * @param capture where packets are captured, or null
   * @param trace where packets are traced: a file, - for standard error, or null
   * @param explains whether standard error gets reasons
   * @param showsCoverage whether standard error gets what the device has covered
   */
  public ProgramEnvironment {
    addresses = List.copyOf(addresses);
  }

  /**
   * A device of the default profile on a free loopback address.
   *
   * @return an environment to change
   */
  public static ProgramEnvironment standard() {
    return new ProgramEnvironment(
        List.of(), "standard", FaultPlan.none(), null, null, false, false);
  }

  /**
   * All variables, for which the library is compiled if it is used for the first time.
   *
   * @param present the variables that the program has otherwise
   * @return those to add
   * @throws NativeException if something is missing on this host; it says what to do
   */
  public Map<String, String> variables(Map<String, String> present) {
    CacheDirectory cache = CacheDirectory.ofUser(present, System.getProperty("user.home"));
    Path library = NativeLibrary.in(cache, present.getOrDefault("PATH", ""));
    Map<String, String> variables = settings();
    String own = addresses.isEmpty() ? freeAddress() : addresses.get(0);
    variables.put(
        Variables.ADDRESS,
        addresses.isEmpty() ? own + Variables.OR_NEXT : String.join(",", addresses));
    if (capture != null || trace != null || showsCoverage) {
      variables.put(Variables.STOP_AT_EXIT, "1");
    }
    variables.put(Variables.ROOT, DeviceFiles.in(cache, parse(own)).toString());
    variables.put(Variables.LIBJVM, libjvm().toString());
    variables.put(Variables.JVM_OPTIONS, jvmOptions(cache));
    variables.put(Variables.PRELOAD, preload(library, present));
    return variables;
  }

  /** What the device is to be, and do. */
  Map<String, String> settings() {
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put(Variables.PROFILE, profile);
    if (!faults.isEmpty()) {
      variables.put(Variables.FAULTS, faults.toString());
    }
    if (capture != null) {
      variables.put(Variables.PCAP, capture.toAbsolutePath().toString());
    }
    if (trace != null) {
      // Relative to where the command runs, not the service.
      variables.put(
          Variables.TRACE, trace.equals("-") ? trace : Path.of(trace).toAbsolutePath().toString());
    }
    if (showsCoverage) {
      variables.put(Variables.COVERAGE, "1");
    }
    if (explains) {
      variables.put(Variables.EXPLAIN, "1");
    }
    return variables;
  }

  private static String freeAddress() {
    try {
      return UdpOptions.defaults().freeLoopbackAddresses(1).get(0);
    } catch (FabricException none) {
      throw new NativeException(none.getMessage(), none);
    }
  }

  static InetAddress parse(String address) {
    try {
      return InetAddress.getByName(address);
    } catch (UnknownHostException unknown) {
      throw new NativeException(address + " is not an IP address", unknown);
    }
  }

  private static Path libjvm() {
    Path home = Path.of(System.getProperty("java.home"));
    Path library = home.resolve("lib/server/libjvm.so");
    if (!Files.exists(library)) {
      throw new NativeException(
          library + " does not exist: unmodified programs need a JVM of Linux, in a JDK or JRE");
    }
    return library;
  }

  private static String jvmOptions(CacheDirectory cache) {
    List<String> classPath = classPath();
    Path archive = ClassArchive.in(cache, classPath, JVM_OPTIONS);
    String first = "-Djava.class.path=" + String.join(File.pathSeparator, classPath) + "\n";
    String shared = archive == null ? "" : "-XX:SharedArchiveFile=" + archive + "\n";
    return first + shared + String.join("\n", JVM_OPTIONS);
  }

  static List<String> classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .map(path -> Path.of(path).toAbsolutePath().toString())
        .toList();
  }

  static String preload(Path library, Map<String, String> present) {
    String before = present.getOrDefault(Variables.PRELOAD, "");
    if (before.contains(library.toString())) {
      return before;
    }
    return before.isEmpty() ? library.toString() : library + ":" + before;
  }
}
