// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.udp.UdpOptions.Transport;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The options of a program that two hosts run, one as the server, the other as its client: where
 * they meet over TCP, and where the own device is.
 *
 * <p>In the help, options of several groups stand in the order of the originals, and {@code -h},
 * whose order is -1, comes last.
 */
public final class PeerOptions {
  private static final int MAX_TCP_PORT = 65_535;
  private static final int MAX_DEVICE_PORT = 255;

  @Option(
      order = -19,
      names = {"-p", "--port"},
      paramLabel = "PORT",
      defaultValue = "18515",
      description = "Listen on or connect to this TCP port (default ${DEFAULT-VALUE}).")
  private int tcpPort;

  @Option(
      order = -18,
      names = {"-d", "--ib-dev"},
      paramLabel = "DEVICE",
      description = "Use this device (the emulated one is qp0).")
  private String deviceName;

  @Option(
      order = -17,
      names = {"-i", "--ib-port"},
      paramLabel = "PORT",
      defaultValue = "1",
      description = "Use this port of the device (default ${DEFAULT-VALUE}).")
  private int devicePort;

  @Option(
      order = -8,
      names = "--bind",
      paramLabel = "ADDRESS",
      converter = IpAddressConverter.class,
      description =
          "Address of the emulated device (default: that from which the system would reach SERVER;"
              + " for a server the first that is not loopback).")
  private String bindAddress;

  @Option(
      order = -8,
      names = "--listen",
      paramLabel = "ADDRESS",
      converter = IpAddressConverter.class,
      description =
          "Of a server: where clients connect to over TCP, 0.0.0.0 or :: for every address of this"
              + " host (default: the address of the device).")
  private String listenAddress;

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

  @Parameters(
      arity = "0..1",
      paramLabel = "SERVER",
      description = "Host of the server; without it this is the server.")
  private String server;

  /** Refuses values out of range. */
  public void check(CommandLine command) {
    RangeChecks rangeChecks = new RangeChecks(command);
    rangeChecks.require("TCP port", tcpPort, 1, MAX_TCP_PORT);
    rangeChecks.require("device port", devicePort, 1, MAX_DEVICE_PORT);
  }

  /** Whether this side waits for the other. */
  public boolean isServer() {
    return server == null;
  }

  /** The host of the server; null if this is the server. */
  public String server() {
    return server;
  }

  /** The TCP port of the server. */
  public int tcpPort() {
    return tcpPort;
  }

  public int devicePort() {
    return devicePort;
  }

  /** Opens the port of a server; null if this is a client. */
  public ServerSocket listen(int clients) {
    return isServer() ? TcpConnection.listen(listenAddress(), tcpPort, clients) : null;
  }

  private InetAddress listenAddress() {
    String address = listenAddress == null ? bindAddress : listenAddress;
    return address == null ? LocalAddresses.first() : TcpConnection.resolve(address, tcpPort)[0];
  }

  /** Opens the device; refuses a name that is not the device's. */
  public UdpDevice openDevice(CommandLine command) {
    UdpDevice opened = null;
    UdpDevice device =
        UdpDevice.open(
            DeviceProfile.standard(),
            transport,
            List.of(address(command.getErr())),
            capture,
            settings -> strictFaults.inject(settings, faults.plan()));
    try {
      checkName(device.device().name(), command);
      opened = device;
    } finally {
      if (opened == null) {
        device.close();
      }
    }
    return opened;
  }

  private String address(PrintWriter err) {
    if (bindAddress != null) {
      return bindAddress;
    }
    InetAddress chosen =
        isServer()
            ? LocalAddresses.first()
            : LocalAddresses.toReach(TcpConnection.resolve(server, tcpPort)[0]);
    err.println("without --bind: the device is on " + chosen.getHostAddress());
    return chosen.getHostAddress();
  }

  private void checkName(String name, CommandLine command) {
    new RangeChecks(command)
        .require(
            deviceName == null || deviceName.equals(name),
            "IB device " + deviceName + " not found; the emulated device is " + name);
  }
}
