// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import io.queuepair.tools.cli.CommandFailure;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Exchange of addresses over TCP, as in {@code ibv_rc_pingpong}: the client sends its address, the
 * server connects its queue pair and sends its own, the client answers {@code done}.
 *
 * @param connectTimeout time limit of a client for the connection
 * @param readTimeout time limit for all messages of the other side
 */
record TcpExchange(Duration connectTimeout, Duration readTimeout) {
  private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);

  static TcpExchange withDefaultTimeout() {
    return new TcpExchange(TcpConnection.CONNECT_TIMEOUT, TcpConnection.READ_TIMEOUT);
  }

  QpAddressList withServer(String host, int port, QpAddressList ownAddresses) {
    try (TcpConnection server = TcpConnection.to(host, port, connectTimeout)) {
      byte[] message = ownAddresses.toMessage();
      server.send(message, "Couldn't send local address");
      TimeLimit limit = TimeLimit.fromNow(readTimeout);
      QpAddressList peerAddresses =
          ownAddresses.ofPeer(server.read(message.length, limit, "Couldn't read remote address"));
      server.send(DONE, "Couldn't read/write remote address");
      return peerAddresses;
    }
  }

  /**
   * Exchanges addresses as the server, with the first client that connects; waits without time
   * limit.
   *
   * @param connectQp prepares the queue pair before the client may use it
   */
  QpAddressList withClient(
      ServerSocket listening, QpAddressList ownAddresses, Consumer<QpAddressList> connectQp) {
    try (TcpConnection client = TcpConnection.acceptOnly(listening)) {
      byte[] message = ownAddresses.toMessage();
      TimeLimit limit = TimeLimit.fromNow(readTimeout);
      QpAddressList peerAddresses =
          ownAddresses.ofPeer(client.read(message.length, limit, "Couldn't read remote address"));
      connectQp.accept(peerAddresses);
      client.send(message, "Couldn't send/recv local address");
      byte[] last = client.read(DONE.length, limit, "Couldn't send/recv local address");
      if (!Arrays.equals(last, DONE)) {
        throw new CommandFailure("Couldn't send/recv local address: the peer is not done");
      }
      return peerAddresses;
    }
  }
}
