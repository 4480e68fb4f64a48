// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.rdmacm;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.tools.cli.CaptureOption;
import io.queuepair.tools.cli.FaultsOption;
import io.queuepair.tools.cli.IpAddressConverter;
import io.queuepair.tools.cli.LocalAddresses;
import io.queuepair.tools.cli.StrictFaultsOption;
import io.queuepair.tools.cli.UdpDevice;
import io.queuepair.udp.UdpOptions.Transport;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for the device of a program that uses the connection manager. */
final class DeviceOptions {
  @Option(
      order = -8,
      names = "--bind",
      paramLabel = "ADDRESS",
      converter = IpAddressConverter.class,
      description =
          "Address of the emulated device (default: that from which the system would reach the"
              + " server; for a server that at which it listens, or the first that is not"
              + " loopback).")
  private String bindAddress;

  @Option(
      order = -7,
      names = "--transport",
      paramLabel = "KIND",
      defaultValue = "AUTO",
      description = "Sockets to use: auto, epoll or nio (default: auto).")
  private Transport transport;

  @Mixin private CaptureOption capture = new CaptureOption();
  @Mixin private FaultsOption faults = new FaultsOption();
  @Mixin private StrictFaultsOption strictFaults = new StrictFaultsOption();

  /** Opens a device at the address from which the server is reached. */
  UdpDevice openToReach(InetAddress server, PrintWriter err) {
    return open(bindAddress == null ? LocalAddresses.toReach(server) : null, err);
  }

  /** Opens a device at the address on which a server listens; for the wildcard at a local one. */
  UdpDevice openToListen(InetAddress listen, PrintWriter err) {
    return open(listen.isAnyLocalAddress() ? LocalAddresses.first() : listen, err);
  }

  private UdpDevice open(InetAddress chosen, PrintWriter err) {
    String address = bindAddress == null ? chosen.getHostAddress() : bindAddress;
    if (bindAddress == null) {
      err.println("without --bind: the device is on " + address);
    }
    return UdpDevice.open(
        DeviceProfile.standard(),
        transport,
        List.of(address),
        capture,
        builder -> strictFaults.inject(builder, faults.plan()));
  }

  /** Connection manager of a device. */
  static RdmaCm rdmaCm(UdpDevice device) {
    return device.emulator().rdmaCm(device.device());
  }
}
