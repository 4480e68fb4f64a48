package io.queuepair.tools.pingpong;

import io.queuepair.tools.cli.CaptureOption;
import io.queuepair.tools.cli.FaultsOption;
import io.queuepair.udp.UdpOptions.Transport;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The options that all ping-pongs have: those of the originals, and where the device is. In the
 * help, options of several groups stand in the order of the originals, and {@code -h}, whose order
 * is -1, comes last.
 */
final class PingpongOptions {
  private static final int MAX_TCP_PORT = 65_535;
  private static final int MAX_SERVICE_LEVEL = 15;

  @Option(
      order = -19,
      names = {"-p", "--port"},
      paramLabel = "PORT",
      defaultValue = "18515",
      description = "Listen on or connect to this TCP port (default ${DEFAULT-VALUE}).")
  int port;

  @Option(
      order = -18,
      names = {"-d", "--ib-dev"},
      paramLabel = "DEVICE",
      description = "Use this device (the emulated one is qp0).")
  String deviceName;

  @Option(
      order = -17,
      names = {"-i", "--ib-port"},
      paramLabel = "PORT",
      defaultValue = "1",
      description = "Use this port of the device (default ${DEFAULT-VALUE}).")
  int ibPort;

  @Option(
      order = -16,
      names = {"-s", "--size"},
      paramLabel = "BYTES",
      defaultValue = "4096",
      description = "Size of the message to exchange (default ${DEFAULT-VALUE}).")
  int size;

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
          "Index of the own GID (default ${DEFAULT-VALUE}: the address of --bind. The original has"
              + " no default: start it with -g and the index of its IPv4 or IPv6 GID).")
  int gidIndex;

  @Option(
      order = -8,
      names = "--bind",
      paramLabel = "ADDRESS",
      description =
          "Address of the emulated device (default: that from which the system would reach SERVER;"
              + " for a server the first that is not loopback).")
  String bindAddress;

  @Mixin CaptureOption capture = new CaptureOption();

  @Mixin FaultsOption faults = new FaultsOption();

  @Option(
      order = -7,
      names = "--transport",
      paramLabel = "KIND",
      defaultValue = "AUTO",
      description = "Sockets to use: auto, epoll or nio (default: auto).")
  Transport transport;

  /** Refuses values out of range. */
  void check(CommandLine command) {
    Limits limits = new Limits(command);
    limits.require("TCP port", port, 1, MAX_TCP_PORT);
    limits.require("device port", ibPort, 1, 255);
    limits.require("size", size, 1, Integer.MAX_VALUE);
    limits.require("service level", serviceLevel, 0, MAX_SERVICE_LEVEL);
    limits.require("GID index", gidIndex, 0, Integer.MAX_VALUE);
  }
}
