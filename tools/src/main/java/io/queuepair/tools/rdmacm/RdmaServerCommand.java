// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.rdmacm;

import io.queuepair.rdmacm.RdmaAddrinfoFlag;
import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.tools.cli.UdpDevice;
import java.io.PrintWriter;
import java.net.InetAddress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Answers {@code rdma_client}. */
@Command(
    name = "rdma-server",
    sortOptions = false,
    description = {
      "Waits for one client to connect through the connection manager, receives a message of 16"
          + " bytes and sends one: the other side of rdma_client (rdma-core 44), with the options"
          + " and lines of rdma_server.",
      ""
    },
    footerHeading = "%nExample:%n",
    footer = "  queuepair rdma-server -s 127.0.0.2")
public final class RdmaServerCommand extends MessageCommand {
  @Option(
      order = -21,
      names = "-s",
      paramLabel = "ADDRESS",
      defaultValue = "0.0.0.0",
      description = "Where to listen (default ${DEFAULT-VALUE}: at every address of the device).")
  private String server;

  /** Creates the command, to be filled by picocli. */
  public RdmaServerCommand() {}

  @Override
  String original() {
    return "rdma_server";
  }

  @Override
  String server() {
    return server;
  }

  @Override
  UdpDevice open(DeviceOptions options, InetAddress listen, PrintWriter err) {
    return options.openToListen(listen, err);
  }

  @Override
  void exchange(RdmaCm host) {
    try (RdmaCmId listener =
        host.createEp(address(host, RdmaAddrinfoFlag.PASSIVE), null, Messages.attr())) {
      listener.listen(0);
      try (RdmaCmId id = listener.getRequest()) {
        Messages messages = new Messages(id, original(), out());
        id.accept();
        messages.receive();
        messages.send();
        id.disconnect();
      }
    }
  }
}
