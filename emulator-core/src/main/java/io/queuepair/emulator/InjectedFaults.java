// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator;

import io.queuepair.emulator.device.HcaDevice;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.faults.DeviceFaults;
import io.queuepair.emulator.faults.FaultBlockedReporter;
import io.queuepair.emulator.faults.FaultFabric;
import io.queuepair.emulator.faults.FaultPlan;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Fault plans of an emulator, and the report of statements that were never carried out. {@link
 * Emulator} calls it while no device is added or closed; {@link #appliedCounts} may be called by
 * any thread.
 */
final class InjectedFaults {
  private final Scheduler scheduler;
  private final DeviceFaults deviceFaults;

  /** All plans injected so far, also those that were ended. */
  private FaultPlan plans = FaultPlan.none();

  /** Fabric that carries out faults of packets; null until a plan has one. */
  private volatile @Nullable FaultFabric faultFabric;

  private final boolean isStrict;
  private final Consumer<String> warnings;

  /**
   * Begins without a plan.
   *
   * @param isStrict whether a statement that is never carried out is an error, not a warning
   * @param warnings takes one sentence at a time
   */
  InjectedFaults(Scheduler scheduler, boolean isStrict, Consumer<String> warnings) {
    this.scheduler = scheduler;
    this.isStrict = isStrict;
    this.warnings = warnings;
    deviceFaults = new DeviceFaults(scheduler);
  }

  DeviceFaults ofDevices() {
    return deviceFaults;
  }

  /**
   * Begins to carry out a plan.
   *
   * @param fabric the network of the devices
   * @return the network of the devices from now on
   * @throws IllegalArgumentException if the plan names an unknown host, and faults are strict
   */
  Fabric injectFaults(FaultPlan plan, Fabric fabric, List<? extends HcaDevice> devices) {
    nameUnknown(plan, devices);
    if (appliedCounts().isEmpty() && !plan.isEmpty()) {
      scheduler.blockedWork().add(new FaultBlockedReporter(this::appliedCounts));
    }
    plans = plans.plus(plan);
    deviceFaults.add(plan.ofDevices());
    if (plan.ofPackets().isEmpty()) {
      return fabric;
    }
    Fabric decoratedFabric = fabric;
    if (faultFabric == null) {
      FaultFabric first = new FaultFabric(fabric, FaultPlan.none());
      faultFabric = first;
      decoratedFabric = first;
      devices.forEach(device -> device.sendThrough(first));
    }
    faultFabric.injectFaults(plan.ofPackets());
    return decoratedFabric;
  }

  /** Reports unknown hosts of a plan, if there are devices already. */
  private void nameUnknown(FaultPlan plan, List<? extends HcaDevice> devices) {
    List<String> unknown = unknownHosts(plan, devices);
    if (unknown.isEmpty()) {
      return;
    }
    String message = "the fault plan names unknown hosts: " + String.join(", ", unknown);
    if (isStrict) {
      throw new IllegalArgumentException(message);
    }
    warnings.accept(message);
  }

  /** Hosts of all plans that no device has; empty while there are no devices. */
  List<String> unknownHosts(List<? extends HcaDevice> devices) {
    return unknownHosts(plans, devices);
  }

  private static List<String> unknownHosts(FaultPlan plan, List<? extends HcaDevice> devices) {
    if (devices.isEmpty()) {
      return List.of();
    }
    Stream<InetAddress> ofDevices =
        plan.deviceHosts().stream()
            .filter(host -> devices.stream().noneMatch(device -> device.has(host)));
    Stream<InetAddress> ofPackets =
        plan.packetHosts().stream().filter(host -> !devices.get(0).reaches(host));
    return Stream.concat(ofDevices, ofPackets).distinct().map(InetAddress::getHostAddress).toList();
  }

  void clear() {
    if (faultFabric != null) {
      faultFabric.clear();
    }
    deviceFaults.clear();
  }

  /** Number of times that each statement was carried out; statements about packets come first. */
  Map<String, Long> appliedCounts() {
    Map<String, Long> taken = new LinkedHashMap<>();
    if (faultFabric != null) {
      taken.putAll(faultFabric.applied());
    }
    taken.putAll(deviceFaults.applied());
    return taken;
  }

  List<String> notTaken() {
    return appliedCounts().entrySet().stream()
        .filter(each -> each.getValue() == 0)
        .map(Map.Entry::getKey)
        .toList();
  }

  /**
   * Reports statements that were never carried out, when the emulator is closed.
   *
   * @param unknown hosts that no device had
   * @throws IllegalStateException if there are such statements, and faults are strict
   */
  void tellNotTaken(List<String> unknown) {
    List<String> notTaken = notTaken();
    if (notTaken.isEmpty()) {
      return;
    }
    String hosts = unknown.isEmpty() ? "" : " (unknown hosts: " + String.join(", ", unknown) + ")";
    String message = "faults that were never carried out: " + String.join("; ", notTaken) + hosts;
    if (isStrict) {
      throw new IllegalStateException(message);
    }
    warnings.accept(message);
  }
}
