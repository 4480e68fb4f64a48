package io.queuepair.tools.pingpong;

import io.queuepair.tools.cli.CommandFailure;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
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
  PeerAddress withServer(String host, int port, PeerAddress own) {
    try (Socket socket = connect(host, port)) {
      send(socket, own.toMessage(), "Couldn't send local address");
      PeerAddress peer = readAddress(socket);
      send(socket, DONE, "Couldn't read/write remote address");
      return peer;
    } catch (IOException e) {
      throw new CommandFailure("Couldn't close the connection: " + e.getMessage(), e);
    }
  }

  /** Tries all addresses of the host, in order. */
  private Socket connect(String host, int port) throws IOException {
    IOException last = null;
    for (InetAddress address : resolve(host, port)) {
      Socket socket = new Socket();
      try {
        socket.connect(new InetSocketAddress(address, port), millis(connectTimeout));
        socket.setSoTimeout(millis(readTimeout));
        return socket;
      } catch (IOException e) {
        socket.close();
        last = e;
      }
    }
    throw new CommandFailure(
        "Couldn't connect to " + host + ":" + port + ": " + reason(last), last);
  }

  /** Opens the port of a server; clients may connect from then on. */
  static ServerSocket listen(int port) {
    try {
      ServerSocket listening = new ServerSocket();
      listening.setReuseAddress(true);
      try {
        listening.bind(new InetSocketAddress(port), 1);
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
  PeerAddress withClient(ServerSocket listening, PeerAddress own, Consumer<PeerAddress> connectQp) {
    try (Socket socket = listening.accept()) {
      listening.close();
      socket.setSoTimeout(millis(readTimeout));
      PeerAddress peer = readAddress(socket);
      connectQp.accept(peer);
      send(socket, own.toMessage(), "Couldn't send/recv local address");
      byte[] last = read(socket, DONE.length, "Couldn't send/recv local address");
      if (!Arrays.equals(last, DONE)) {
        throw new CommandFailure("Couldn't send/recv local address: the peer is not done");
      }
      return peer;
    } catch (IOException e) {
      throw new CommandFailure("accept() failed: " + reason(e), e);
    }
  }

  private PeerAddress readAddress(Socket socket) {
    return PeerAddress.ofMessage(
        read(socket, PeerAddress.MESSAGE_BYTES, "Couldn't read remote address"));
  }

  private static void send(Socket socket, byte[] message, String trouble) {
    try {
      OutputStream out = socket.getOutputStream();
      out.write(message);
      out.flush();
    } catch (IOException e) {
      throw new CommandFailure(trouble + ": " + reason(e), e);
    }
  }

  private byte[] read(Socket socket, int length, String trouble) {
    byte[] message = new byte[length];
    int filled = 0;
    try {
      InputStream in = socket.getInputStream();
      while (filled < length) {
        int taken = in.read(message, filled, length - filled);
        if (taken < 0) {
          throw new EOFException("the peer closed the connection");
        }
        filled += taken;
      }
      return message;
    } catch (SocketTimeoutException e) {
      String waited = "the peer said nothing for " + readTimeout.toMillis() / 1000.0 + " s";
      throw new CommandFailure(filled + "/" + length + ": " + trouble + ": " + waited, e);
    } catch (IOException e) {
      throw new CommandFailure(filled + "/" + length + ": " + trouble + ": " + reason(e), e);
    }
  }

  private static int millis(Duration duration) {
    return Math.toIntExact(duration.toMillis());
  }

  /** What the system said, in lower case and without the name of its function. */
  private static String reason(IOException e) {
    if (e instanceof SocketTimeoutException) {
      return "timed out";
    }
    if (e instanceof NoRouteToHostException) {
      return "no route to the host";
    }
    String words = String.valueOf(e.getMessage()).replaceFirst(" \\([^)]*\\)$", "");
    boolean isConnect = e instanceof ConnectException;
    return isConnect ? words.toLowerCase(Locale.ROOT) : decapitalized(words);
  }

  private static String decapitalized(String words) {
    return words.isEmpty()
        ? words
        : words.substring(0, 1).toLowerCase(Locale.ROOT) + words.substring(1);
  }
}
