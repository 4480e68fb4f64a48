// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.rdmacm;

import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.tools.cli.UdpDevice;
import java.io.PrintWriter;
import java.net.InetAddress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Sends {@code rdma_server} a message. */
@Command(
    name = "rdma-client",
    sortOptions = false,
    description = {
      "Connects to a server through the connection manager, sends a message of 16 bytes and"
          + " receives one: the other side of rdma_server (rdma-core 44), with the options and"
          + " lines of rdma_client.",
      "A server that does not answer is given up after some 74 s, as by Linux.",
      ""
    },
    footerHeading = "%nExample:%n",
    footer = "  queuepair rdma-client --bind 127.0.0.3 -s 127.0.0.2")
public final class RdmaClientCommand extends MessageCommand {
  @Option(
      order = -21,
      names = "-s",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description = "Address of the server (default ${DEFAULT-VALUE}).")
  private String server;

  /** Creates the command, to be filled by picocli. */
  public RdmaClientCommand() {}

  @Override
  String original() {
    return "rdma_client";
  }

  @Override
  String server() {
    return server;
  }

  @Override
  UdpDevice open(DeviceOptions options, InetAddress peer, PrintWriter err) {
    return options.openToReach(peer, err);
  }

  @Override
  void exchange(RdmaCm host) {
    try (RdmaCmId id = host.createEp(address(host), null, Messages.attr())) {
      Messages messages = new Messages(id, original(), out());
      id.connect();
      messages.send();
      messages.receive();
      id.disconnect();
    }
  }
}
