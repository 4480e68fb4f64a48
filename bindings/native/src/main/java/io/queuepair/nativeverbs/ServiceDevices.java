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

/** Devices of the service, as its environment variables describe them. */
final class ServiceDevices {
  /** Separator between the addresses of two devices. */
  static final String SEPARATOR = ";";

  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Longest time that another service may keep an address after its last program. */
  private static final long LONGEST_WAIT_NANOS = HostService.LINGER.plusSeconds(1).toNanos();

  private static volatile Emulator emulator;
  private static volatile String addresses = "";

  private ServiceDevices() {}

  /**
   * Creates the devices of a service on a network.
   *
   * @param errors gets lines for standard error
   * @throws NativeException with the reason if that fails
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

  /** Adds a device; retries while another service, unused by now, still has its addresses. */
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

  /** Replaces {pid} in a file name by the process id, as programs may start others. */
  private static String ofProcess(String name) {
    return name.replace("{pid}", Long.toString(ProcessHandle.current().pid()));
  }

  private static PrintStream output(String name) throws IOException {
    return new PrintStream(new FileOutputStream(ofProcess(name)), true, StandardCharsets.UTF_8);
  }

  static DeviceProfile profile(Map<String, String> environment) {
    DeviceProfile profile =
        isSoftRoce(environment) ? DeviceProfile.softRoce() : DeviceProfile.standard();
    // Over UDP an answer may take longer than the timeout of most programs.
    DeviceProfile single =
        profile.withPorts(1).withRawLoopback().withLimit(DeviceLimit.MAX_MR_SIZE, Long.MAX_VALUE);
    return single.withPacing(single.sendWindow().withLongAckTimeout());
  }

  /** Whether the devices behave as Soft-RoCE of Linux. */
  static boolean isSoftRoce(Map<String, String> environment) {
    return "soft-roce".equals(environment.get(Variables.PROFILE));
  }

  /** Devices in order; empty if they could not be created. */
  static List<Device> devices() {
    return Optional.ofNullable(emulator)
        .<List<Device>>map(each -> List.copyOf(each.devices()))
        .orElse(List.of());
  }

  /** Emulator of the devices; null if they could not be created. */
  static Emulator emulator() {
    return emulator;
  }

  /** Addresses: commas within a device, semicolons between devices; empty without a device. */
  static String addresses() {
    return addresses;
  }

  /**
   * Indices of the devices that a program may see: those with an address, or all.
   *
   * @param wanted an address; for all devices empty, or all addresses of the service
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

  /** Packets that the devices have received; 0 of a device if a fault refuses the query. */
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
