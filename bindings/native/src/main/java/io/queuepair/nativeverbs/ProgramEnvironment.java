// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.emulator.faults.FaultPlan;
import java.io.File;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The environment variables with which a program, and all that it starts, runs on an emulated
 * device. Start from {@link #standard()}.
 *
 * @param addresses of each device, with commas; without any, one has all of this host
 * @param profile which device: {@code standard} or {@code soft-roce}
 * @param faults what goes wrong
 * @param capture where packets are captured, or null
 * @param trace where packets are traced: a file, - for standard error, or null
 * @param memlock KiB that each program may pin by its regions, or null for no limit
 * @param explains whether standard error gets the reason of each refusal and failed completion
 * @param showsCoverage whether standard error gets what the device has covered, at the end
 */
public record ProgramEnvironment(
    List<String> addresses,
    String profile,
    FaultPlan faults,
    Path capture,
    String trace,
    Long memlock,
    boolean explains,
    boolean showsCoverage) {
  /**
   * Copies the addresses.
   *
   * @param addresses of each device, with commas; without any, one has all of this host
   * @param profile which device: {@code standard} or {@code soft-roce}
   * @param faults what goes wrong
   * @param capture where packets are captured, or null
   * @param trace where packets are traced: a file, - for standard error, or null
   * @param memlock KiB that each program may pin by its regions, or null for no limit
   * @param explains whether standard error gets reasons
   * @param showsCoverage whether standard error gets what the device has covered
   */
  public ProgramEnvironment {
    addresses = List.copyOf(addresses);
  }

  /**
   * A device of the default profile on all addresses of this host.
   *
   * @return an environment to change
   */
  public static ProgramEnvironment standard() {
    return new ProgramEnvironment(
        List.of(), "standard", FaultPlan.none(), null, null, null, false, false);
  }

  /** What the device is to be, and do. */
  Map<String, String> settings() {
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put(Variables.PROFILE, profile);
    if (!addresses.isEmpty()) {
      variables.put(Variables.ADDRESS, String.join(ServiceDevices.SEPARATOR, addresses));
    }
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
    if (memlock != null) {
      variables.put(Variables.MEMLOCK, memlock.toString());
    }
    if (showsCoverage) {
      variables.put(Variables.COVERAGE, "1");
    }
    if (explains) {
      variables.put(Variables.EXPLAIN, "1");
    }
    return variables;
  }

  static InetAddress parse(String address) {
    try {
      return InetAddress.getByName(address);
    } catch (UnknownHostException unknown) {
      throw new NativeException(address + " is not an IP address", unknown);
    }
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
