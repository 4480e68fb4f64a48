// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import io.queuepair.tools.cli.DeviceOptions;
import io.queuepair.tools.cli.HostConverter;
import io.queuepair.tools.cli.IpAddressConverter;
import io.queuepair.tools.cli.LocalAddresses;
import io.queuepair.tools.cli.RangeChecks;
import io.queuepair.tools.cli.UdpDevice;
import io.queuepair.verbs.Mtu;
import java.net.InetAddress;
import java.net.ServerSocket;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Options in the order of the original programs; {@code -h}, of order -1, comes last. */
final class PingpongOptions {
  private static final int MAX_TCP_PORT = 65_535;
  private static final int MAX_DEVICE_PORT = 255;
  private static final int MAX_SERVICE_LEVEL = 15;
  private static final int MAX_QUEUE_PAIRS = 255;
  private static final int DEFAULT_BYTES = 4096;
  private static final int DEFAULT_DATAGRAM_BYTES = 1024;

  @Option(
      order = -20,
      names = "--type",
      paramLabel = "TYPE",
      defaultValue = "RC",
      description =
          "What carries the messages: rc, uc, ud, srq (reliable connections that share a receive"
              + " queue) or xrc (default: rc).")
  PingpongType type;

  @Option(
      order = -19,
      names = {"-p", "--port"},
      paramLabel = "PORT",
      defaultValue = "18515",
      description = "Listen on or connect to this TCP port (default ${DEFAULT-VALUE}).")
  int tcpPort;

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
  int devicePort;

  @Option(
      order = -7,
      names = "--listen",
      paramLabel = "ADDRESS",
      converter = IpAddressConverter.class,
      description =
          "Of a server: where clients connect to over TCP, 0.0.0.0 or :: for every address of this"
              + " host (default: the address of the device).")
  private String listenAddress;

  @Mixin private DeviceOptions deviceOptions = new DeviceOptions();

  @Parameters(
      arity = "0..1",
      paramLabel = "SERVER",
      converter = HostConverter.class,
      description = "Host of the server; without it this is the server.")
  String server;

  @Option(
      order = -16,
      names = {"-s", "--size"},
      paramLabel = "BYTES",
      description =
          "Size of the message to exchange (default "
              + DEFAULT_BYTES
              + "; of a datagram "
              + DEFAULT_DATAGRAM_BYTES
              + ").")
  private Integer size;

  @Option(
      order = -15,
      names = {"-m", "--mtu"},
      paramLabel = "BYTES",
      defaultValue = "1024",
      description =
          "Path MTU of a connection: 256, 512, 1024, 2048 or 4096 (default ${DEFAULT-VALUE}).")
  private int mtuBytes;

  @Option(
      order = -15,
      names = {"-q", "--num-qp"},
      paramLabel = "COUNT",
      defaultValue = "16",
      description = "Of srq: queue pairs to use, 1 to 255 (default ${DEFAULT-VALUE}).")
  int queuePairCount;

  @Option(
      order = -14,
      names = {"-r", "--rx-depth"},
      paramLabel = "COUNT",
      defaultValue = "500",
      description = "Receives to post at a time (default ${DEFAULT-VALUE}).")
  int rxDepth;

  @Option(
      order = -13,
      names = {"-n", "--iters"},
      paramLabel = "COUNT",
      defaultValue = "1000",
      description = "Number of exchanges (default ${DEFAULT-VALUE}).")
  int iterations;

  @Option(
      order = -12,
      names = {"-l", "--sl"},
      paramLabel = "LEVEL",
      defaultValue = "0",
      description = "Service level, 0 to 15 (default ${DEFAULT-VALUE}).")
  int serviceLevel;

  @Option(
      order = -11,
      names = {"-e", "--events"},
      description = "Sleep on CQ events (default: poll).")
  boolean usesEvents;

  @Option(
      order = -10,
      names = {"-g", "--gid-idx"},
      paramLabel = "INDEX",
      defaultValue = "0",
      description =
          "Index of the own GID (default ${DEFAULT-VALUE}: the address of --bind. The programs of"
              + " rdma-core have no default: start them with -g and the index of an IPv4 or IPv6"
              + " GID).")
  int gidIndex;

  @Option(
      order = -9,
      names = {"-c", "--chk"},
      description =
          "Validate the received buffer; the server does, and the client marks it (not with xrc).")
  boolean checksData;

  @Option(
      order = -9,
      names = "--clients",
      paramLabel = "COUNT",
      defaultValue = "1",
      description =
          "Of a server of xrc: clients to wait for, each at an address of its own (default"
              + " ${DEFAULT-VALUE}).")
  int clients;

  /** Refuses values out of range, and options of other types of queue pairs. */
  void check(CommandLine command) {
    RangeChecks rangeChecks = new RangeChecks(command);
    rangeChecks.require("TCP port", tcpPort, 1, MAX_TCP_PORT);
    rangeChecks.require("device port", devicePort, 1, MAX_DEVICE_PORT);
    rangeChecks.require("size", sizeBytes(), 1, Integer.MAX_VALUE);
    rangeChecks.require("service level", serviceLevel, 0, MAX_SERVICE_LEVEL);
    rangeChecks.require("GID index", gidIndex, 0, Integer.MAX_VALUE);
    rangeChecks.require("rx-depth", rxDepth, 1, Integer.MAX_VALUE - 1);
    rangeChecks.require("iters", iterations, 1, Integer.MAX_VALUE);
    rangeChecks.require("num-qp", queuePairCount, 1, MAX_QUEUE_PAIRS);
    rangeChecks.require("clients", clients, 1, Short.MAX_VALUE);
    checkMtu(command);
    boolean isXrc = type == PingpongType.XRC;
    boolean isSrq = type == PingpongType.SRQ;
    rangeChecks.require(type != PingpongType.UD || !rangeChecks.isGiven("-m"), "-m is not of ud");
    rangeChecks.require(isSrq || !rangeChecks.isGiven("-q"), "-q is of --type srq only");
    rangeChecks.require(isXrc || !rangeChecks.isGiven("--clients"), "--clients is of xrc only");
    rangeChecks.require(!isXrc || !rangeChecks.isGiven("-r"), "-r is not of xrc");
    rangeChecks.require(!isXrc || !checksData, "-c is not of xrc");
    rangeChecks.require(
        !isSrq || rxDepth >= queuePairCount,
        "rx-depth "
            + rxDepth
            + " is too small for "
            + queuePairCount
            + " queue pairs: each needs a receive");
  }

  private void checkMtu(CommandLine command) {
    try {
      pathMtu();
    } catch (IllegalArgumentException none) {
      throw new ParameterException(command, none.getMessage(), none);
    }
  }

  Mtu pathMtu() {
    return Mtu.ofBytes(mtuBytes);
  }

  int sizeBytes() {
    int unsaid = type == PingpongType.UD ? DEFAULT_DATAGRAM_BYTES : DEFAULT_BYTES;
    return size == null ? unsaid : size;
  }

  /** Whether this side is the server, which waits for the client. */
  boolean isServer() {
    return server == null;
  }

  /** Listens on the TCP port of a server; null for a client. */
  ServerSocket listen(int clients) {
    return isServer() ? TcpConnection.listen(listenAddress(), tcpPort, clients) : null;
  }

  private InetAddress listenAddress() {
    String address = listenAddress == null ? deviceOptions.bindAddress() : listenAddress;
    return address == null ? LocalAddresses.first() : TcpConnection.resolve(address, tcpPort)[0];
  }

  /** Opens the device; refuses a {@code -d} with another name. */
  UdpDevice openDevice(CommandLine command) {
    UdpDevice opened = null;
    UdpDevice device = deviceOptions.open(this::defaultAddress, command.getErr());
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

  private InetAddress defaultAddress() {
    return isServer()
        ? LocalAddresses.first()
        : LocalAddresses.toReach(TcpConnection.resolve(server, tcpPort)[0]);
  }

  private void checkName(String name, CommandLine command) {
    new RangeChecks(command)
        .require(
            deviceName == null || deviceName.equals(name),
            "IB device " + deviceName + " not found; the emulated device is " + name);
  }
}
