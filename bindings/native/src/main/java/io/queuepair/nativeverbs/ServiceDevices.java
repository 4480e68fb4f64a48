// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.EmulatorBuilder;
import io.queuepair.emulator.fabric.AddressInUseException;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.observe.LadderTrace;
import io.queuepair.emulator.observe.PcapngCapture;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.HwCounter;
import io.queuepair.verbs.VerbsException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** The devices of the service, as its environment describes them. */
final class ServiceDevices {
  /** Between the addresses of one device and those of the next. */
  static final String SEPARATOR = ";";

  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** How long another service may keep an address after its last program. */
  private static final long LONGEST_WAIT_NANOS = HostService.LINGER.plusSeconds(1).toNanos();

  private static volatile Emulator emulator;
  private static volatile String addresses = "";

  private ServiceDevices() {}

  /**
   * Attaches the device of a service to a network.
   *
   * @param errors gets lines that are for standard error
   * @throws NativeException if it cannot be had; it says why
   */
  static void start(
      Map<String, String> environment, Supplier<Fabric> network, Consumer<String> errors) {
    Emulator opened = null;
    try {
      FaultPlan faults = FaultPlan.parse(environment.getOrDefault(Variables.FAULTS, ""));
      EmulatorBuilder settings =
          Emulator.builder()
              .fabric(observed(network.get(), environment, errors))
              .faultWarnings(Refusals::explain)
              .faults(faults);
      if (Refusals.areExplained()) {
        settings.explanations(reason -> errors.accept("queuepair: " + reason));
      }
      opened = settings.build();
      addresses = environment.getOrDefault(Variables.ADDRESS, "");
      for (String device : addresses.split(SEPARATOR, -1)) {
        addDevice(opened, profile(environment), device.split(",", -1));
      }
      emulator = opened;
    } catch (FabricException | IllegalArgumentException | IOException impossible) {
      throw new NativeException("no device: " + impossible.getMessage(), impossible);
    } finally {
      if (emulator == null && opened != null) {
        opened.close();
      }
    }
  }

  /** A service that is used no more may have the addresses still: until it ends they are tried. */
  private static void addDevice(Emulator emulator, DeviceProfile profile, String[] wanted) {
    long start = System.nanoTime();
    boolean isAdded = false;
    while (!isAdded) {
      try {
        emulator.addDevice(profile, wanted);
        isAdded = true;
      } catch (AddressInUseException taken) {
        if (System.nanoTime() - start > LONGEST_WAIT_NANOS) {
          throw taken;
        }
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
  }

  private static Fabric observed(
      Fabric network, Map<String, String> environment, Consumer<String> errors) throws IOException {
    Fabric fabric = network;
    String capture = environment.get(Variables.PCAP);
    if (capture != null) {
      fabric = PcapngCapture.to(Path.of(ofProcess(capture)), fabric);
    }
    String trace = environment.get(Variables.TRACE);
    return trace == null
        ? fabric
        : LadderTrace.on(fabric, trace.equals("-") ? errors : output(trace)::println);
  }

  /** A file name in which {pid} stands for the process: programs may start others. */
  private static String ofProcess(String name) {
    return name.replace("{pid}", Long.toString(ProcessHandle.current().pid()));
  }

  private static PrintStream output(String name) throws IOException {
    return new PrintStream(new FileOutputStream(ofProcess(name)), true, StandardCharsets.UTF_8);
  }

  static DeviceProfile profile(Map<String, String> environment) {
    DeviceProfile profile =
        isSoftRoce(environment) ? DeviceProfile.softRoce() : DeviceProfile.standard();
    // Over UDP an answer may take longer than what most programs wait for.
    DeviceProfile single =
        profile.withPorts(1).withRawLoopback().withLimit(DeviceLimit.MAX_MR_SIZE, Long.MAX_VALUE);
    return single.withPacing(single.sendWindow().withLongAckTimeout());
  }

  /** Whether a device is to answer as that of Linux does. */
  static boolean isSoftRoce(Map<String, String> environment) {
    return "soft-roce".equals(environment.get(Variables.PROFILE));
  }

  /** The devices, in order; none if they could not be had. */
  static List<Device> devices() {
    return Optional.ofNullable(emulator)
        .<List<Device>>map(each -> List.copyOf(each.devices()))
        .orElse(List.of());
  }

  /** The emulator that the devices belong to; null if they could not be had. */
  static Emulator emulator() {
    return emulator;
  }

  /** Addresses of each device, with commas, and semicolons between devices; empty without one. */
  static String addresses() {
    return addresses;
  }

  /**
   * Places of the devices that a program is to see: the one with an address, or all.
   *
   * @param wanted an address, or all that the service has
   */
  static List<Integer> placesOf(String wanted) {
    String[] devices = addresses.split(SEPARATOR, -1);
    return IntStream.range(0, devices().size())
        .filter(
            place ->
                wanted.isEmpty()
                    || wanted.equals(addresses)
                    || List.of(devices[place].split(",", -1)).contains(wanted))
        .boxed()
        .toList();
  }

  /** How many packets the devices have received; less if a fault keeps that from being asked. */
  static long receivedPackets() {
    return emulator.devices().stream().mapToLong(ServiceDevices::receivedPackets).sum();
  }

  private static long receivedPackets(Device device) {
    try (Context context = device.open()) {
      return context.hwCounters(1).get(HwCounter.RCVD_PKTS);
    } catch (VerbsException refused) {
      return 0;
    }
  }

  /** Disconnects peers, and closes the devices. */
  static void stop() {
    Emulator open = emulator;
    if (open == null) {
      return;
    }
    try {
      RdmaCmFile.destroyAll();
    } finally {
      open.close();
    }
  }
}
