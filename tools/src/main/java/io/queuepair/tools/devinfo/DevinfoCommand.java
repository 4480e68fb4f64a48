// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.devinfo;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.tools.cli.CaptureOption;
import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.tools.cli.IpAddressConverter;
import io.queuepair.tools.cli.ProfileOption;
import io.queuepair.tools.cli.RangeChecks;
import io.queuepair.tools.cli.UdpDevice;
import io.queuepair.udp.UdpOptions.Transport;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Device;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Prints the output of {@code ibv_devinfo}. */
@Command(
    name = "devinfo",
    description = {
      "Prints what the emulated device is and can do, line by line as ibv_devinfo does.",
      "Without --bind the device is on an in-memory network and needs no socket.",
      "It sends nothing: a file of --pcap gets what others send to the device meanwhile.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  queuepair devinfo -v                 all about the in-memory device",
      "  queuepair devinfo -v --profile soft-roce",
      "                                       what Linux Soft-RoCE shows",
      "  queuepair devinfo --bind 127.0.0.2   a device on UDP port 4791, whose MTU",
      "                                       is that of the interface"
    })
public final class DevinfoCommand implements Runnable {
  private static final String IN_MEMORY_ADDRESS = "10.0.0.1";

  @Spec private CommandSpec spec;

  @Option(
      names = {"-d", "--ib-dev"},
      paramLabel = "DEVICE",
      description = "Use this device (default: all; the emulated device is qp0).")
  private String deviceName;

  @Option(
      names = {"-i", "--ib-port"},
      paramLabel = "PORT",
      description = "Use this port of the device (default: all ports).")
  private Integer port;

  @Option(
      names = {"-l", "--list"},
      description = "Print only the names of the devices.")
  private boolean isList;

  @Option(
      names = {"-v", "--verbose"},
      description = "Print all attributes.")
  private boolean isVerbose;

  @Option(
      names = "--bind",
      paramLabel = "ADDRESS[,ADDRESS]",
      split = ",",
      hideParamSyntax = true,
      converter = IpAddressConverter.class,
      description = "Put the device on addresses of this host, which become its GID table.")
  private List<String> addresses = new ArrayList<>();

  @Mixin private ProfileOption profileOption;

  @Mixin private CaptureOption capture;

  @Override
  public void run() {
    if (port != null && port < 1) {
      throw new ParameterException(spec.commandLine(), "port " + port + " is not 1 or more");
    }
    RangeChecks rangeChecks = new RangeChecks(spec.commandLine());
    boolean binds = rangeChecks.isGiven("--bind");
    rangeChecks.require(!binds || !addresses.isEmpty(), "--bind names no address");
    if (!binds) {
      Fabric fabric = capture.around(InMemoryFabric.virtualTime());
      try (Emulator emulator = Emulator.on(fabric)) {
        report(emulator.addDevice(profileOption.profile(), IN_MEMORY_ADDRESS));
      }
    } else {
      try (UdpDevice bound =
          UdpDevice.open(
              profileOption.profile(),
              Transport.AUTO,
              addresses,
              capture,
              UnaryOperator.identity())) {
        report(bound.device());
      }
    }
  }

  private void report(Device device) {
    PrintWriter out = spec.commandLine().getOut();
    if (isList) {
      out.println("1 HCA found:");
      out.println("\t" + device.name());
      out.println();
      return;
    }
    if (deviceName != null && !deviceName.equals(device.name())) {
      throw new ParameterException(
          spec.commandLine(),
          "IB device '" + deviceName + "' wasn't found; the emulated device is " + device.name());
    }
    try (Context context = device.open()) {
      int ports = context.queryDevice().physPortCnt();
      if (port != null && port > ports) {
        throw new CommandFailure("Invalid port requested for device: it has " + ports);
      }
      DeviceReport.of(context, isVerbose).forEach(out::println);
      int first = port == null ? 1 : port;
      int last = port == null ? ports : port;
      for (int portNum = first; portNum <= last; portNum++) {
        PortReport.of(context, portNum, isVerbose).forEach(out::println);
      }
    }
  }
}
