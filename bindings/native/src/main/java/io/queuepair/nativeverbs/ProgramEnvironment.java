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
 * Environment variables with which a program, and all that it starts, runs on an emulated device.
 * {@link #standard()} is the start of a description.
 *
 * @param addresses IP addresses of each device, separated by commas; if empty, one device has all
 *     addresses of this host
 * @param profile of the devices: {@code standard} or {@code soft-roce}
 * @param faults to inject
 * @param capture file for captured packets, or null
 * @param trace file for traced packets, - for standard error, or null
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
   * @param addresses IP addresses of each device, separated by commas; if empty, one device has all
   *     addresses of this host
   * @param profile of the devices: {@code standard} or {@code soft-roce}
   * @param faults to inject
   * @param capture file for captured packets, or null
   * @param trace file for traced packets, - for standard error, or null
   * @param memlock KiB that each program may pin by its regions, or null for no limit
   * @param explains whether standard error gets the reason of each refusal and failed completion
   * @param showsCoverage whether standard error gets what the device has covered, at the end
   */
  public ProgramEnvironment {
    addresses = List.copyOf(addresses);
  }

  /**
   * Describes a device of the default profile with all addresses of this host.
   *
   * @return an environment to change
   */
  public static ProgramEnvironment standard() {
    return new ProgramEnvironment(
        List.of(), "standard", FaultPlan.none(), null, null, null, false, false);
  }

  /** Variables that describe the devices to a service. */
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
      // Relative to the directory of the command, not of the service.
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
