// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.rdmacm;

import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.tools.cli.DeviceOptions;
import io.queuepair.tools.cli.HostConverter;
import io.queuepair.tools.cli.LocalAddresses;
import io.queuepair.tools.cli.RangeChecks;
import io.queuepair.tools.cli.UdpDevice;
import io.queuepair.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs rping with {@code rping} of librdmacm or with another instance of itself. */
@Command(
    name = "rping",
    sortOptions = false,
    description = {
      "Connects through the connection manager and sends pings: the client offers a ping, the"
          + " server reads it and writes it back. The other side of rping (rdma-core 44), with its"
          + " options and lines.",
      "A server that does not answer is given up after some 74 s, as by Linux.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  queuepair rping -s -v -a 127.0.0.2                         a server",
      "  queuepair rping -c -v --bind 127.0.0.3 -a 127.0.0.2 -C 3   its client",
      "",
      "  queuepair rping -s          a server on this host, and the",
      "  rping -c -a HOST -V -C 10   client on Linux"
    })
public final class RpingCommand implements Callable<Integer> {
  /** Exit code -1 as the system reports it. */
  static final int FAILED = 255;

  private static final int MAX_PORT = 65_535;
  private static final int MIN_SIZE = 26;
  private static final int MAX_SIZE = 65_535;

  @Spec private CommandSpec spec;

  @Option(order = -30, names = "-c", description = "Client: send pings.")
  private boolean isClient;

  @Option(
      order = -29,
      names = "-I",
      paramLabel = "ADDRESS",
      converter = HostConverter.class,
      description = "Of a client: own address to connect from.")
  private String source;

  @Option(order = -28, names = "-s", description = "Server: answer pings.")
  private boolean isServer;

  @Option(order = -27, names = "-v", description = "Print the pings.")
  private boolean isVerbose;

  @Option(order = -26, names = "-V", description = "Of a client: compare what comes back.")
  private boolean validates;

  @Option(order = -25, names = "-d", description = "Print what happens.")
  private boolean isDebug;

  @Option(
      order = -24,
      names = "-S",
      paramLabel = "BYTES",
      defaultValue = "64",
      description = "Bytes of a ping, 26 to 65535 (default ${DEFAULT-VALUE}).")
  private int size;

  @Option(
      order = -23,
      names = "-C",
      paramLabel = "COUNT",
      defaultValue = "0",
      description = "Pings to send; 0 for no end (default ${DEFAULT-VALUE}).")
  private int count;

  @Option(
      order = -22,
      names = "-a",
      paramLabel = "ADDRESS",
      converter = HostConverter.class,
      defaultValue = "0.0.0.0",
      description =
          "Of a client: address of the server. Of a server: where to listen (default"
              + " ${DEFAULT-VALUE}: at every address of the device).")
  private String address;

  @Option(
      order = -21,
      names = "-p",
      paramLabel = "PORT",
      defaultValue = "7174",
      description = "Port of the connection manager (default ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      order = -20,
      names = "-P",
      description = "Of a server: serve all clients, until it is ended.")
  private boolean isPersistent;

  @Option(
      order = -19,
      names = "-q",
      description = "Create and modify the queue pair by verbs, not by the connection manager.")
  private boolean ownsQp;

  /** Read by picocli only. No mixin, as -V is an option of the original program. */
  @Option(
      order = -1,
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help message and exit.")
  private boolean unusedHelp;

  @Option(
      order = -1,
      names = "--version",
      versionHelp = true,
      description = "Print version information and exit.")
  private boolean unusedVersion;

  @Mixin private DeviceOptions deviceOptions = new DeviceOptions();

  @Override
  public Integer call() {
    check(new RangeChecks(spec.commandLine()));
    RpingSettings settings =
        new RpingSettings(
            isServer,
            count,
            size,
            isVerbose,
            validates,
            isDebug,
            ownsQp,
            spec.commandLine().getOut(),
            spec.commandLine().getErr());
    InetAddress there = resolve(address);
    try (UdpDevice device = deviceOptions.open(() -> ownAddress(there), settings.err())) {
      RdmaCm host = device.emulator().rdmaCm(device.device());
      return run(settings, host, new InetSocketAddress(there, port)) ? 0 : FAILED;
    } catch (VerbsException refused) {
      settings.err().println(spec.qualifiedName() + ": " + refused.getMessage());
      return FAILED;
    }
  }

  /** Address at which a server listens, or a local one for the wildcard; for a client by route. */
  private InetAddress ownAddress(InetAddress there) {
    if (!isServer) {
      return LocalAddresses.toReach(there);
    }
    return there.isAnyLocalAddress() ? LocalAddresses.first() : there;
  }

  private void check(RangeChecks rangeChecks) {
    rangeChecks.require(isClient != isServer, "either -c or -s has to be given");
    rangeChecks.require("size", size, MIN_SIZE, MAX_SIZE);
    rangeChecks.require("count", count, 0, Integer.MAX_VALUE);
    rangeChecks.require("port", port, 0, MAX_PORT);
    rangeChecks.require(
        isServer || rangeChecks.isGiven("-a"), "a client needs the address of its server, -a");
  }

  private boolean run(RpingSettings settings, RdmaCm host, InetSocketAddress there) {
    if (isServer) {
      RpingServer server = new RpingServer(settings, host, isPersistent);
      return isPersistent ? server.serveAll(there) : server.serveOne(there);
    }
    InetSocketAddress from = source == null ? null : new InetSocketAddress(resolve(source), 0);
    return new RpingClient(settings, host).run(from, there);
  }

  private static InetAddress resolve(String host) {
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException unknown) {
      throw new CommandFailure("invalid hostname or IP address " + host, unknown);
    }
  }
}
