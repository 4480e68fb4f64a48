package io.queuepair.tools.pingpong;

import static io.queuepair.tools.pingpong.TcpConnection.reason;

import io.queuepair.tools.cli.CommandFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
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
 * @param readTimeout how long a side waits for what the other has to say
 */
record TcpExchange(Duration connectTimeout, Duration readTimeout) {
  private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);

  static TcpExchange withUsualPatience() {
    return new TcpExchange(Duration.ofSeconds(10), Duration.ofSeconds(60));
  }

  /** Looks a host up. */
  static InetAddress[] resolve(String host, int port) {
    try {
      return InetAddress.getAllByName(host);
    } catch (UnknownHostException e) {
      throw new CommandFailure("Couldn't connect to " + host + ":" + port + ": unknown host", e);
    }
  }

  /** Plays the client. */
  <A extends AddressMessage<A>> A withServer(String host, int port, A own) {
    try (TcpConnection server = connect(host, port)) {
      byte[] message = own.toMessage();
      server.send(message, "Couldn't send local address");
      A peer = own.ofPeer(server.read(message.length, "Couldn't read remote address"));
      server.send(DONE, "Couldn't read/write remote address");
      return peer;
    }
  }

  /** Tries all addresses of the host, in order. */
  TcpConnection connect(String host, int port) {
    IOException last = null;
    for (InetAddress address : resolve(host, port)) {
      try {
        return connect(new InetSocketAddress(address, port));
      } catch (IOException e) {
        last = e;
      }
    }
    throw new CommandFailure(
        "Couldn't connect to " + host + ":" + port + ": " + reason(last), last);
  }

  private TcpConnection connect(InetSocketAddress server) throws IOException {
    Socket socket = new Socket();
    try {
      socket.connect(server, Math.toIntExact(connectTimeout.toMillis()));
      return TcpConnection.of(socket, readTimeout);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** Opens the port of a server; clients may connect from then on. */
  static ServerSocket listen(int port) {
    return listen(port, 1);
  }

  /** Opens the port of a server for several clients. */
  static ServerSocket listen(int port, int clients) {
    try {
      ServerSocket listening = new ServerSocket();
      listening.setReuseAddress(true);
      try {
        listening.bind(new InetSocketAddress(port), clients);
      } catch (IOException e) {
        listening.close();
        throw e;
      }
      return listening;
    } catch (IOException e) {
      throw new CommandFailure("Couldn't listen to port " + port + ": " + reason(e), e);
    }
  }

  /**
   * Plays the server with the first client that connects, however long that takes.
   *
   * @param connectQp makes the queue pair ready before the client may use it
   */
  <A extends AddressMessage<A>> A withClient(ServerSocket listening, A own, Consumer<A> connectQp) {
    try (TcpConnection client = accept(listening)) {
      listening.close();
      byte[] message = own.toMessage();
      A peer = own.ofPeer(client.read(message.length, "Couldn't read remote address"));
      connectQp.accept(peer);
      client.send(message, "Couldn't send/recv local address");
      byte[] last = client.read(DONE.length, "Couldn't send/recv local address");
      if (!Arrays.equals(last, DONE)) {
        throw new CommandFailure("Couldn't send/recv local address: the peer is not done");
      }
      return peer;
    } catch (IOException e) {
      throw new CommandFailure("accept() failed: " + reason(e), e);
    }
  }

  /** Waits for the next client, however long that takes. */
  TcpConnection accept(ServerSocket listening) {
    try {
      return TcpConnection.of(listening.accept(), readTimeout);
    } catch (IOException e) {
      throw new CommandFailure("accept() failed: " + reason(e), e);
    }
  }
}
