// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.udp.UdpOptions;
import io.queuepair.verbs.Context;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ParameterResolutionException;

/** The devices of a network by their label in tests: an address, or the name of a parameter. */
final class Hosts {
  private static final Pattern IPV4 = Pattern.compile("\\b\\d{1,3}(?:\\.\\d{1,3}){3}\\b");

  private static final String HOSTS = "10.0.0.";

  private final Emulator emulator;
  private final boolean isUdp;

  /** Address that a test uses for a device, by the name of a parameter. */
  private final Map<String, String> named = new LinkedHashMap<>();

  /** Real address of a device, by the address that the test uses. */
  private final Map<String, String> addresses = new LinkedHashMap<>();

  /** Devices by the address that the test uses. */
  private final Map<String, HostDevice> devices = new LinkedHashMap<>();

  private final Map<String, Context> contexts = new LinkedHashMap<>();

  /** Number of hosts that each method chooses by position; 0 until one has. */
  private int positions;

  Hosts(Emulator emulator, boolean isUdp) {
    this.emulator = emulator;
    this.isUdp = isUdp;
  }

  /** A device, and the profile that its parameter asked for, or null. */
  private record HostDevice(EmulatedDevice device, DeviceProfile profile) {}

  /** Name of a host that is known by its position among the parameters of a method. */
  synchronized String positional(int position, int count) {
    if (positions != 0 && positions != count) {
      throw new ParameterResolutionException(
          ("which device? One method of the test asks for %d and another for %d, and the class"
                  + " was compiled without names of parameters: say @Host(\"10.0.0.1\"), or"
                  + " compile with -parameters")
              .formatted(positions, count));
    }
    positions = count;
    return "host " + (position + 1);
  }

  /**
   * The device of a host, added at the first request.
   *
   * @param profile profile of the device, or null for {@code usual}, that of the test
   */
  synchronized EmulatedDevice device(String label, DeviceProfile profile, DeviceProfile usual) {
    String host = host(label);
    HostDevice known = devices.get(host);
    if (known == null) {
      DeviceProfile chosen = profile == null ? usual : profile;
      known = new HostDevice(emulator.addDevice(chosen, address(host)), profile);
      devices.put(host, known);
    } else if (profile != null && known.profile() == null) {
      throw new ParameterResolutionException(
          "the device " + label + " is there already, so @Profile comes too late");
    }
    return known.device();
  }

  /** The context of a host's device, opened at the first request. */
  synchronized Context context(String label, DeviceProfile profile, DeviceProfile usual) {
    EmulatedDevice device = device(label, profile, usual);
    return contexts.computeIfAbsent(host(label), none -> device.open());
  }

  /** Replaces the addresses in a fault plan by the real ones of devices. */
  synchronized String translated(String plan) {
    return isUdp
        ? IPV4.matcher(plan).replaceAll(found -> Matcher.quoteReplacement(address(found.group())))
        : plan;
  }

  /** Real address of a device, which need not exist yet. */
  synchronized String address(String label) {
    return addresses.computeIfAbsent(
        host(label), host -> isUdp ? UdpOptions.defaults().freeLoopbackAddresses(1).get(0) : host);
  }

  /** Address that the test uses: the label itself if it is one. */
  private String host(String label) {
    return isAddress(label) ? label : named.computeIfAbsent(label, none -> nextHost());
  }

  private static boolean isAddress(String label) {
    return label.contains(".") || label.contains(":");
  }

  /** Refuses a {@link Host} that would count as the name of a parameter. */
  static String requireAddress(String host) {
    if (isAddress(host)) {
      return host;
    }
    throw new ParameterResolutionException("@Host(\"" + host + "\") is not an IP address");
  }

  private String nextHost() {
    int number = 1;
    while (named.containsValue(HOSTS + number) || addresses.containsKey(HOSTS + number)) {
      number++;
    }
    return HOSTS + number;
  }

  /** Name and addresses of each device of the network, and its labels in the test. */
  synchronized List<String> describe() {
    return emulator.devices().stream()
        .map(
            device ->
                device.name()
                    + ": "
                    + device.addresses().stream()
                        .map(InetAddress::getHostAddress)
                        .collect(Collectors.joining(", "))
                    + aliases(device))
        .toList();
  }

  /** Names that the test has for a device; none for one that it has added itself. */
  private String aliases(EmulatedDevice device) {
    List<String> aliases = new ArrayList<>();
    devices.forEach(
        (host, known) -> {
          if (known.device().equals(device)) {
            aliases.addAll(address(host).equals(host) ? List.of() : List.of(host));
            named.forEach(
                (name, its) -> aliases.addAll(its.equals(host) ? List.of(name) : List.of()));
          }
        });
    return aliases.isEmpty() ? "" : " (" + String.join(", ", aliases) + ")";
  }

  Map<String, Context> contexts() {
    return contexts;
  }
}
