// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.udp.UdpOptions.Transport;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of the emulated device of a program that talks to another host over UDP. */
public final class DeviceOptions {
  @Option(
      order = -8,
      names = "--bind",
      paramLabel = "ADDRESS",
      converter = IpAddressConverter.class,
      description =
          "Address of the emulated device (default: that from which the system would reach the"
              + " server, or one at which a server can be reached).")
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

  /** Value of {@code --bind}; null if it is not given. */
  public String bindAddress() {
    return bindAddress;
  }

  /** Opens a device at the address of {@code --bind}, or at a default one, which it prints. */
  public UdpDevice open(Supplier<InetAddress> defaultAddress, PrintWriter err) {
    String address = bindAddress;
    if (address == null) {
      address = defaultAddress.get().getHostAddress();
      err.println("without --bind: the device is on " + address);
    }
    return UdpDevice.open(
        DeviceProfile.standard(),
        transport,
        List.of(address),
        capture,
        builder -> strictFaults.inject(builder, faults.plan()));
  }
}
