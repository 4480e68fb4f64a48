// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.EmulatorBuilder;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.udp.UdpFabric;
import io.queuepair.udp.UdpOptions;
import java.util.List;
import java.util.function.UnaryOperator;

/** An emulated device on addresses of this host: RoCEv2 on UDP port 4791. */
public final class UdpDevice implements AutoCloseable {
  private final Emulator emulator;
  private final EmulatedDevice device;

  private UdpDevice(Emulator emulator, EmulatedDevice device) {
    this.emulator = emulator;
    this.device = device;
  }

  /** Opens a device with one port, whose GID table is the addresses. */
  public static UdpDevice open(
      DeviceProfile profile,
      UdpOptions.Transport transport,
      List<String> addresses,
      CaptureOption capture,
      UnaryOperator<EmulatorBuilder> faults) {
    UdpFabric udp = UdpFabric.open(UdpOptions.defaults().withTransport(transport));
    Fabric fabric = capture.around(udp);
    Emulator emulator = faults.apply(Emulator.builder().fabric(fabric)).build();
    EmulatedDevice device = null;
    try {
      // All given addresses belong to one port.
      DeviceProfile single = profile.withPorts(1);
      // On a busy machine Linux Soft-RoCE may answer later than an ACK timeout of 67 ms.
      DeviceProfile patient = single.withPacing(single.sendWindow().withLongAckTimeout());
      device = emulator.addDevice(patient, addresses.toArray(String[]::new));
    } catch (IllegalArgumentException malformed) {
      throw new CommandFailure(malformed.getMessage(), malformed);
    } finally {
      if (device == null) {
        emulator.close();
      }
    }
    return new UdpDevice(emulator, device);
  }

  public Emulator emulator() {
    return emulator;
  }

  public EmulatedDevice device() {
    return device;
  }

  /** Sends the packets that are still queued, then closes the device and its network. */
  @Override
  public void close() {
    emulator.close();
  }
}
