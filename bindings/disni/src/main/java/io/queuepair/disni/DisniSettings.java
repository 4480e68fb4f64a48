// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.EmulatorBuilder;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.udp.UdpFabric;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Which devices programs find: the settings of the agent and of the system properties. */
final class DisniSettings {
  private static final String PREFIX = "queuepair.disni.";
  private static final String NETWORK = "network";
  private static final String ADDRESSES = "addresses";
  private static final String FAULTS = "faults";
  private static final String CAPTURE = "capture";
  private static final String RETRIES = "retries";
  private static final Set<String> NAMES = Set.of(NETWORK, ADDRESSES, FAULTS, CAPTURE, RETRIES);
  private static final String MEMORY = "memory";
  private static final String UDP = "udp";

  private final Map<String, String> values = new LinkedHashMap<>();

  private DisniSettings() {}

  /**
   * Reads the settings.
   *
   * @param arguments {@code name=value}, separated by semicolons; they win over properties
   * @param properties system properties by name, null for those that are not set
   * @throws IllegalArgumentException naming the setting that is none
   */
  static DisniSettings of(String arguments, UnaryOperator<String> properties) {
    DisniSettings settings = new DisniSettings();
    for (String name : NAMES) {
      String value = properties.apply(PREFIX + name);
      if (value != null) {
        settings.values.put(name, value.trim());
      }
    }
    for (String argument : arguments.split(";", -1)) {
      if (!argument.isBlank()) {
        settings.add(argument);
      }
    }
    settings.check();
    return settings;
  }

  private void add(String argument) {
    int equals = argument.indexOf('=');
    String name = equals < 0 ? argument : argument.substring(0, equals);
    if (equals < 0 || !NAMES.contains(name.trim())) {
      throw new IllegalArgumentException(
          "'"
              + argument
              + "' is no setting; there are network, addresses, faults, capture and retries, as in"
              + " network=udp;addresses=127.0.0.2");
    }
    values.put(name.trim(), argument.substring(equals + 1).trim());
  }

  private void check() {
    String network = network();
    if (!network.equals(MEMORY) && !network.equals(UDP)) {
      throw new IllegalArgumentException("network '" + network + "' is neither memory nor udp");
    }
    if (network.equals(UDP) && !values.containsKey(ADDRESSES)) {
      throw new IllegalArgumentException(
          "network udp needs addresses of this host, such as addresses=127.0.0.2");
    }
    String retries = values.getOrDefault(RETRIES, "0");
    if (!retries.matches("[0-7]")) {
      throw new IllegalArgumentException("retries '" + retries + "' are not 0 to 7");
    }
  }

  private String network() {
    return values.getOrDefault(NETWORK, MEMORY);
  }

  /** {@code retry_count} of connections of programs that set none, 0 to 7. */
  int retries() {
    return Integer.parseInt(values.getOrDefault(RETRIES, "0"));
  }

  private List<String> addresses() {
    List<String> addresses = new ArrayList<>();
    for (String address : values.getOrDefault(ADDRESSES, "10.0.0.1,10.0.0.2").split(",", -1)) {
      addresses.add(address.trim());
    }
    return addresses;
  }

  /**
   * Makes the devices, one for each address, and the connection manager of the host that has them
   * all. They live as long as the process; what is captured is complete when it ends, and
   * statements of faults that were never carried out are in the log.
   *
   * @throws IllegalArgumentException if there cannot be such devices
   */
  RdmaCm open() {
    EmulatorBuilder settings =
        Emulator.builder()
            .fabric(network().equals(UDP) ? UdpFabric.open() : InMemoryFabric.realTime())
            .faults(FaultPlan.parse(values.getOrDefault(FAULTS, "")));
    if (values.containsKey(CAPTURE)) {
      settings.capture(Path.of(values.get(CAPTURE)));
    }
    Emulator emulator = settings.build();
    if (values.containsKey(CAPTURE) || values.containsKey(FAULTS)) {
      Runtime.getRuntime().addShutdownHook(new Thread(emulator::close, "queuepair-close"));
    }
    addresses().forEach(emulator::addDevice);
    List<EmulatedDevice> devices = emulator.devices();
    return emulator.rdmaCm(
        devices.get(0), devices.subList(1, devices.size()).toArray(EmulatedDevice[]::new));
  }
}
