// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.rdmacm;

import io.queuepair.rdmacm.RdmaAddrinfo;
import io.queuepair.rdmacm.RdmaAddrinfoFlag;
import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.tools.cli.UdpDevice;
import io.queuepair.verbs.VerbsException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What rdma_client and rdma_server have in common: how they begin and end. */
abstract class MessageCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      order = -20,
      names = "-p",
      paramLabel = "PORT",
      defaultValue = "7471",
      description = "Port of the connection manager (default ${DEFAULT-VALUE}).")
  private String port;

  @Mixin private DeviceOptions device = new DeviceOptions();

  /** The name of the original, which begins its lines. */
  abstract String original();

  /** Address of the server. */
  abstract String server();

  abstract UdpDevice open(DeviceOptions options, InetAddress server, PrintWriter err);

  /** Sends and receives the message; the connection is ended when this returns. */
  abstract void exchange(RdmaCm host);

  final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** The address of the server for an endpoint. */
  final RdmaAddrinfo address(RdmaCm host, RdmaAddrinfoFlag... flags) {
    RdmaAddrinfo hints = RdmaAddrinfo.hints(RdmaPortSpace.TCP, flags);
    return host.getaddrinfo(server(), port, hints).get(0);
  }

  @Override
  public final Integer call() {
    PrintWriter err = spec.commandLine().getErr();
    try (UdpDevice opened = open(device, Addresses.resolve(server()), err)) {
      out().println(original() + ": start");
      int result = run(DeviceOptions.rdmaCm(opened), err);
      out().println(original() + ": end " + result);
      return result == 0 ? 0 : RpingCommand.FAILED;
    }
  }

  private int run(RdmaCm host, PrintWriter err) {
    try {
      exchange(host);
      return 0;
    } catch (VerbsException | CommandFailure failed) {
      err.println(spec.qualifiedName() + ": " + failed.getMessage());
      return -1;
    }
  }
}
