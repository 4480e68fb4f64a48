// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import io.queuepair.tools.cli.TcpConnection;
import io.queuepair.tools.cli.TimeLimit;
import java.nio.charset.StandardCharsets;

/** Messages over TCP, where queue pairs are described as text. */
record TcpControlLink(TcpConnection connection) implements ControlLink {
  private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);

  /** From now on the connection tells if the host of the peer dies. */
  static TcpControlLink over(TcpConnection connection) {
    KeepAlive.on(connection.socket());
    return new TcpControlLink(connection);
  }

  @Override
  public void send(byte[] message, String trouble) {
    connection.send(message, trouble);
  }

  @Override
  public byte[] read(int length, TimeLimit limit, String trouble) {
    return connection.read(length, limit, trouble);
  }

  @Override
  public byte[] encode(PeerQp qp) {
    return qp.toMessage();
  }

  @Override
  public PeerQp decode(byte[] message) {
    return PeerQp.ofMessage(message);
  }

  @Override
  public void finish(String trouble) {
    connection.send(DONE, trouble);
  }
}
