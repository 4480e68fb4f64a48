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
 * The fault plans of an emulator, and the report of statements that never applied. {@link Emulator}
 * calls it while no device is added or closed; {@link #appliedCounts} may be called by any thread.
 */
final class InjectedFaults {
  private final Scheduler scheduler;
  private final DeviceFaults deviceFaults;

  /** All that was to go wrong. */
  private FaultPlan plans = FaultPlan.none();

  /** Fabric that carries plans out on the network; null as long as there is none about packets. */
  private volatile @Nullable FaultFabric faultFabric;

  private final boolean isStrict;
  private final Consumer<String> warnings;

  /**
   * Without a plan yet.
   *
   * @param isStrict whether statements that come to nothing are errors, or warnings
   * @param warnings takes one sentence at a time
   */
  InjectedFaults(Scheduler scheduler, boolean isStrict, Consumer<String> warnings) {
    this.scheduler = scheduler;
    this.isStrict = isStrict;
    this.warnings = warnings;
    deviceFaults = new DeviceFaults(scheduler);
  }

  /** Faults of devices and their verbs. */
  DeviceFaults ofDevices() {
    return deviceFaults;
  }

  /**
   * Begins to carry a plan out.
   *
   * @param fabric the network of the devices
   * @return the network that they have from now on
   * @throws IllegalArgumentException if the plan names an unknown host, and that is an error
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

  /** Says it at once, if it can be known. */
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

  /** Hosts of all plans that no device has; none if there is no device that could know. */
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

  /** How often each statement was carried out; those about packets first. */
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
   * Tells what came to nothing, at the end.
   *
   * @param unknown hosts that no device had
   * @throws IllegalStateException if that is an error
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
