package io.queuepair.tools.pingpong;

import io.queuepair.tools.cli.CaptureOption;
import io.queuepair.udp.UdpOptions.Transport;
import io.queuepair.verbs.Mtu;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of a ping-pong: those of {@code ibv_rc_pingpong}, and where the device is. */
final class PingpongOptions {
  private static final int MAX_TCP_PORT = 65_535;
  private static final int MAX_TIMEOUT_CODE = 31;
  private static final int MAX_SERVICE_LEVEL = 15;

  @Option(
      names = {"-p", "--port"},
      paramLabel = "PORT",
      defaultValue = "18515",
      description = "Listen on or connect to this TCP port (default ${DEFAULT-VALUE}).")
  int port;

  @Option(
      names = {"-d", "--ib-dev"},
      paramLabel = "DEVICE",
      description = "Use this device (the emulated one is qp0).")
  String deviceName;

  @Option(
      names = {"-i", "--ib-port"},
      paramLabel = "PORT",
      defaultValue = "1",
      description = "Use this port of the device (default ${DEFAULT-VALUE}).")
  int ibPort;

  @Option(
      names = {"-s", "--size"},
      paramLabel = "BYTES",
      defaultValue = "4096",
      description = "Size of the message to exchange (default ${DEFAULT-VALUE}).")
  int size;

  @Option(
      names = {"-m", "--mtu"},
      paramLabel = "BYTES",
      defaultValue = "1024",
      description = "Path MTU: 256, 512, 1024, 2048 or 4096 (default ${DEFAULT-VALUE}).")
  int mtuBytes;

  @Option(
      names = {"-r", "--rx-depth"},
      paramLabel = "COUNT",
      defaultValue = "500",
      description = "Receives to post at a time (default ${DEFAULT-VALUE}).")
  int rxDepth;

  @Option(
      names = {"-n", "--iters"},
      paramLabel = "COUNT",
      defaultValue = "1000",
      description = "Number of exchanges (default ${DEFAULT-VALUE}).")
  int iterations;

  @Option(
      names = {"-l", "--sl"},
      paramLabel = "LEVEL",
      defaultValue = "0",
      description = "Service level, 0 to 15 (default ${DEFAULT-VALUE}).")
  int serviceLevel;

  @Option(
      names = {"-e", "--events"},
      description = "Sleep on CQ events (default: poll).")
  boolean usesEvents;

  @Option(
      names = {"-g", "--gid-idx"},
      paramLabel = "INDEX",
      defaultValue = "0",
      description =
          "Index of the own GID (default ${DEFAULT-VALUE}: the address of --bind. The original has"
              + " no default: start it with -g and the index of its IPv4 or IPv6 GID).")
  int gidIndex;

  @Option(
      names = {"-c", "--chk"},
      description = "Validate the received buffer; the server does, and the client marks it.")
  boolean checksData;

  @Option(
      names = "--bind",
      paramLabel = "ADDRESS",
      description =
          "Address of the emulated device (default: that from which the system would reach SERVER;"
              + " for a server the first that is not loopback).")
  String bindAddress;

  @Mixin CaptureOption capture = new CaptureOption();

  @Option(
      names = "--transport",
      paramLabel = "KIND",
      defaultValue = "AUTO",
      description = "Sockets to use: auto, epoll or nio (default: auto).")
  Transport transport;

  @Option(
      names = "--ack-timeout",
      paramLabel = "CODE",
      defaultValue = "${env:QUEUEPAIR_ACK_TIMEOUT:-14}",
      description = {
        "Local ACK timeout code, 0 to 31: 4.096 us times 2 to that power; 0 waits for ever",
        "(default: $$QUEUEPAIR_ACK_TIMEOUT, else 14, which is 67 ms)."
      })
  int ackTimeout;

  @Option(
      names = {"-o", "--odp", "-O", "--iodp", "-P", "--prefetch"},
      hidden = true)
  private boolean wantsPaging;

  @Option(
      names = {"-t", "--ts"},
      hidden = true)
  private boolean wantsTimestamps;

  @Option(
      names = {"-j", "--dm"},
      hidden = true)
  private boolean wantsDeviceMemory;

  @Option(
      names = {"-N", "--new_send"},
      hidden = true)
  private boolean wantsExtendedPosting;

  /** Refuses values out of range. */
  void check(CommandLine command) {
    refuse(command, wantsPaging, "on-demand paging (-o, -O, -P) is not offered");
    refuse(command, wantsTimestamps, "completion timestamps (-t) are not offered");
    refuse(command, wantsDeviceMemory, "device memory (-j) is not offered");
    refuse(command, wantsExtendedPosting, "the new post send API (-N) is not offered");
    requireWithin(command, "TCP port", port, 1, MAX_TCP_PORT);
    requireWithin(command, "device port", ibPort, 1, 255);
    requireWithin(command, "size", size, 1, Integer.MAX_VALUE);
    requireWithin(command, "rx-depth", rxDepth, 1, Integer.MAX_VALUE - 1);
    requireWithin(command, "iters", iterations, 1, Integer.MAX_VALUE);
    requireWithin(command, "service level", serviceLevel, 0, MAX_SERVICE_LEVEL);
    requireWithin(command, "ACK timeout code", ackTimeout, 0, MAX_TIMEOUT_CODE);
    requireWithin(command, "GID index", gidIndex, 0, Integer.MAX_VALUE);
    try {
      Mtu.ofBytes(mtuBytes);
    } catch (IllegalArgumentException none) {
      throw new ParameterException(command, none.getMessage(), none);
    }
  }

  private static void refuse(CommandLine command, boolean isWanted, String why) {
    if (isWanted) {
      throw new ParameterException(command, why);
    }
  }

  private static void requireWithin(
      CommandLine command, String what, int value, int least, int most) {
    if (value < least || value > most) {
      throw new ParameterException(
          command, what + " " + value + " is not " + least + " to " + most);
    }
  }

  Mtu mtu() {
    return Mtu.ofBytes(mtuBytes);
  }
}
