// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator;

import io.queuepair.emulator.device.HcaDevice;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.fabric.VirtualNetwork;
import io.queuepair.emulator.rdmacm.EmulatedHost;
import io.queuepair.rdmacm.RdmaCm;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Connection managers of an emulator by device; devices of one host share one. Thread-safe. */
final class RdmaCmHosts {
  private final Scheduler scheduler;
  private final Map<HcaDevice, EmulatedHost> byDevice = new LinkedHashMap<>();

  RdmaCmHosts(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /**
   * Connection manager of the host with these devices, made at the first call.
   *
   * @throws IllegalArgumentException if the devices are of different hosts
   */
  synchronized RdmaCm of(List<HcaDevice> devices) {
    EmulatedHost knownHost = byDevice.get(devices.get(0));
    for (HcaDevice device : devices) {
      if (byDevice.get(device) != knownHost) {
        throw new IllegalArgumentException(device + " is of another host");
      }
    }
    if (knownHost != null) {
      return knownHost;
    }
    scheduler.virtualNetwork().ifPresent(VirtualNetwork::acquire);
    try {
      EmulatedHost host = new EmulatedHost(scheduler, devices);
      devices.forEach(device -> byDevice.put(device, host));
      return host;
    } finally {
      scheduler.virtualNetwork().ifPresent(VirtualNetwork::release);
    }
  }

  /** Describes what connections, listening ids and events wait for, a sentence each. */
  synchronized List<String> describeBlockedWork() {
    return new LinkedHashSet<>(byDevice.values())
        .stream().flatMap(host -> host.describeBlockedWork().stream()).toList();
  }

  /**
   * Closes all hosts.
   *
   * @param isElsewhere whether no device of this emulator has an address
   */
  synchronized void close(Predicate<InetAddress> isElsewhere) {
    new LinkedHashSet<>(byDevice.values()).forEach(host -> host.close(isElsewhere));
  }
}
