// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.tools.cli.ProfileName;
import io.queuepair.tools.recording.RecordedDevice;
import io.queuepair.verbs.DeviceCapFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Statements that create devices, each with the usual objects, and change ports. */
final class DeviceStatements {
  static final String VERB = "device";

  private static final String FORM =
      "device NAME [profile=standard|soft-roce] [address=IP,...] [port2=IP,...]"
          + " [pkeys=0xffff,...] [with=CAPABILITY,...] [without=CAPABILITY,...]";
  private static final String NUMBERS = ",";
  private static final int MOST_PKEY = 0xffff;
  private static final int MOST_PORT = 255;

  /** Profile without path migration, whose MigReq bit in each packet few readers need. */
  private DeviceProfile profile = DeviceProfile.standard().without(DeviceCapFlag.AUTO_PATH_MIG);

  private List<String> port1;
  private List<String> port2 = List.of();

  private DeviceStatements(int number) {
    port1 = List.of("10.0." + (number >> Byte.SIZE) + "." + (number & 0xff));
  }

  /** Opens a device, and creates a protection domain, a completion queue and a memory region. */
  static void device(ScenarioEnvironment environment, List<String> words) {
    if (words.isEmpty() || !words.get(0).matches("[A-Za-z]\\w*")) {
      throw new StatementException("it is written: " + FORM);
    }
    String name = words.get(0);
    DeviceStatements deviceStatements = new DeviceStatements(environment.devices() + 1);
    Arguments.requireOnce(words);
    words.subList(1, words.size()).forEach(deviceStatements::take);
    RecordedDevice device =
        environment.addDevice(
            name, deviceStatements.profile, deviceStatements.port1, deviceStatements.port2);
    make(environment, device, "alloc_pd", name + ".pd");
    make(environment, device, "create_cq", name + ".cq", "cqe=64");
    make(environment, device, "reg_mr", name + ".mr", "length=8192");
  }

  /** First address of a device by its name, before the device is created; empty without a name. */
  static Map<String, String> address(List<String> words, int number) {
    DeviceStatements deviceStatements = new DeviceStatements(number);
    words.stream().skip(1).forEach(deviceStatements::take);
    return words.isEmpty() ? Map.of() : Map.of(words.get(0), deviceStatements.port1.get(0));
  }

  private static void make(
      ScenarioEnvironment environment, RecordedDevice device, String verb, String... words) {
    String deviceName = Statements.device(words[0]);
    environment.call(verb, device, VerbSyntax.of(verb).read(verb, deviceName, List.of(words)));
  }

  private void take(String option) {
    String[] parts = option.split("=", 2);
    if (parts.length != 2) {
      throw new StatementException("it is written: " + FORM);
    }
    List<String> values = List.of(parts[1].split(NUMBERS, -1));
    switch (parts[0]) {
      case "profile" ->
          profile = named(parts[1]) == ProfileName.STANDARD ? profile : DeviceProfile.softRoce();
      case "address" -> port1 = values;
      case "port2" -> {
        port2 = values;
        profile = profile.withPorts(2);
      }
      case "pkeys" -> profile = profile.withPkeys(numbers(values));
      case "with" -> values.forEach(value -> profile = profile.with(capability(value)));
      case "without" -> values.forEach(value -> profile = profile.without(capability(value)));
      default -> throw new StatementException("'" + option + "': it is written: " + FORM);
    }
  }

  private static ProfileName named(String name) {
    for (ProfileName known : ProfileName.values()) {
      if (known.toString().equals(name)) {
        return known;
      }
    }
    throw new StatementException("'" + name + "' is no profile: standard, soft-roce");
  }

  private static int[] numbers(List<String> values) {
    List<Integer> numbers = new ArrayList<>();
    values.forEach(value -> numbers.add(NumberArgument.of("pkeys", value, 0, MOST_PKEY)));
    return numbers.stream().mapToInt(Integer::intValue).toArray();
  }

  private static DeviceCapFlag capability(String name) {
    return Statements.constant(DeviceCapFlag.class, name, "no capability");
  }

  /** Disconnects or connects the cable of a port. */
  static void port(ScenarioEnvironment environment, List<String> words) {
    String form = "port DEVICE NUMBER up|down";
    Statements.expect(words, 3, form);
    boolean isUp = words.get(2).equals("up");
    if (!isUp && !words.get(2).equals("down")) {
      throw new StatementException("it is written: " + form);
    }
    EmulatedDevice.of(environment.device(words.get(0)).context().device())
        .setPortUp(NumberArgument.of("ports", words.get(1), 1, MOST_PORT), isUp);
  }
}
