// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import io.queuepair.tools.cli.CommandFailure;
import java.io.PrintWriter;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Exchange over TCP as in {@code ibv_xsrq_pingpong}: each client sends its address, the server
 * answers with its own, and both connect. The TCP connections stay open. At the end each side sends
 * {@code END}, the server after all clients have, so that no side exits while another may need its
 * packets.
 */
final class XrcExchange implements AutoCloseable {
  private static final byte[] END = "END\0".getBytes(StandardCharsets.US_ASCII);

  private final XrcQueuePairs qps;
  private final PrintWriter out;
  private final List<TcpConnection> connections = new ArrayList<>();
  private boolean isServer;

  /** Creates the exchange for queue pairs that are not connected yet; prints each address. */
  XrcExchange(XrcQueuePairs qps, PrintWriter out) {
    this.qps = qps;
    this.out = out;
  }

  /** Waits for as many clients as there are queue pairs, and connects each. */
  void withClients(ServerSocket listening) {
    isServer = true;
    for (int i = 0; i < qps.count(); i++) {
      TcpConnection client = TcpConnection.accept(listening);
      connections.add(client);
      XrcAddress peer = read(client, i);
      send(client, i);
      qps.connect(i, peer);
    }
  }

  void withServer(String host, int port) {
    TcpConnection server = TcpConnection.to(host, port, TcpConnection.CONNECT_TIMEOUT);
    connections.add(server);
    send(server, 0);
    qps.connect(0, read(server, 0));
  }

  private void send(TcpConnection connection, int index) {
    XrcAddress own = qps.address(index);
    out.println("   local: " + own);
    connection.send(own.toMessage(), "Couldn't send local address");
  }

  private XrcAddress read(TcpConnection connection, int index) {
    String trouble = "Couldn't read remote address [" + index + "]";
    byte[] message =
        connection.read(
            XrcAddress.MESSAGE_BYTES, TimeLimit.fromNow(TcpConnection.READ_TIMEOUT), trouble);
    XrcAddress peer = XrcAddress.ofMessage(message);
    out.println("  remote: " + peer);
    return peer;
  }

  /** Exchanges {@code END} with all partners. */
  void end() {
    if (isServer) {
      connections.forEach(XrcExchange::readEnd);
      connections.forEach(XrcExchange::sendEnd);
    } else {
      connections.forEach(XrcExchange::sendEnd);
      connections.forEach(XrcExchange::readEnd);
    }
  }

  private static void sendEnd(TcpConnection connection) {
    connection.send(END, "Couldn't send termination ack");
  }

  private static void readEnd(TcpConnection connection) {
    String trouble = "Couldn't read remote termination ack";
    byte[] word =
        connection.read(END.length, TimeLimit.fromNow(TcpConnection.READ_TIMEOUT), trouble);
    if (!Arrays.equals(word, END)) {
      throw new CommandFailure("Invalid termination ack was accepted");
    }
  }

  @Override
  public void close() {
    connections.forEach(TcpConnection::close);
  }
}
