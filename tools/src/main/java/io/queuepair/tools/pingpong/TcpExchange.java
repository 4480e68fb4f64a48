// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import io.queuepair.tools.cli.CommandFailure;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * How the two sides of a ping-pong tell each other their addresses, as {@code ibv_rc_pingpong}
 * does: the client sends its own, the server connects its queue pair and sends its own, the client
 * says {@code done}.
 *
 * @param connectTimeout how long a client waits for the connection
 * @param readTimeout how long a side waits for all that the other has to say
 */
record TcpExchange(Duration connectTimeout, Duration readTimeout) {
  private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);

  static TcpExchange withDefaultTimeout() {
    return new TcpExchange(TcpConnection.CONNECT_TIMEOUT, TcpConnection.READ_TIMEOUT);
  }

  /** Plays the client. */
  QpAddressList withServer(String host, int port, QpAddressList own) {
    try (TcpConnection server = TcpConnection.to(host, port, connectTimeout)) {
      byte[] message = own.toMessage();
      server.send(message, "Couldn't send local address");
      TimeLimit limit = TimeLimit.fromNow(readTimeout);
      QpAddressList peer =
          own.ofPeer(server.read(message.length, limit, "Couldn't read remote address"));
      server.send(DONE, "Couldn't read/write remote address");
      return peer;
    }
  }

  /**
   * Plays the server with the first client that connects, however long that takes.
   *
   * @param connectQp makes the queue pair ready before the client may use it
   */
  QpAddressList withClient(
      ServerSocket listening, QpAddressList own, Consumer<QpAddressList> connectQp) {
    try (TcpConnection client = TcpConnection.acceptOnly(listening)) {
      byte[] message = own.toMessage();
      TimeLimit limit = TimeLimit.fromNow(readTimeout);
      QpAddressList peer =
          own.ofPeer(client.read(message.length, limit, "Couldn't read remote address"));
      connectQp.accept(peer);
      client.send(message, "Couldn't send/recv local address");
      byte[] last = client.read(DONE.length, limit, "Couldn't send/recv local address");
      if (!Arrays.equals(last, DONE)) {
        throw new CommandFailure("Couldn't send/recv local address: the peer is not done");
      }
      return peer;
    }
  }
}
