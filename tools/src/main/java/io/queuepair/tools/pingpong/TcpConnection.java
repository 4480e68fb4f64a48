// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import io.queuepair.tools.cli.CommandFailure;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.NoRouteToHostException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Locale;

/** TCP connection to the peer, for messages of known length. */
record TcpConnection(Socket socket) implements AutoCloseable {
  /** Time limit of a client for the connection to its server. */
  static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  /** Time limit for a message of the other side. */
  static final Duration READ_TIMEOUT = Duration.ofSeconds(60);

  /** Connects to the first address of a host that answers; the time-out applies to each. */
  static TcpConnection to(String host, int port, Duration timeout) {
    IOException last = null;
    for (InetAddress address : resolve(host, port)) {
      Socket socket = new Socket();
      try {
        socket.connect(new InetSocketAddress(address, port), Math.toIntExact(timeout.toMillis()));
        socket.setTcpNoDelay(true);
        return new TcpConnection(socket);
      } catch (IOException e) {
        new TcpConnection(socket).close();
        last = e;
      }
    }
    throw new CommandFailure(
        "Couldn't connect to " + host + ":" + port + ": " + reason(last), last);
  }

  /** Resolves a host name; the port is for the error message. */
  static InetAddress[] resolve(String host, int port) {
    try {
      return InetAddress.getAllByName(host);
    } catch (UnknownHostException e) {
      throw new CommandFailure("Couldn't connect to " + host + ":" + port + ": unknown host", e);
    }
  }

  /** Opens the listening port of a server; from then on clients may connect. */
  static ServerSocket listen(InetAddress address, int port, int clients) {
    try {
      ServerSocket listening = new ServerSocket();
      listening.setReuseAddress(true);
      try {
        listening.bind(new InetSocketAddress(address, port), clients);
      } catch (IOException e) {
        listening.close();
        throw e;
      }
      return listening;
    } catch (IOException e) {
      throw new CommandFailure(
          "Couldn't listen to port %d of %s: %s"
              .formatted(
                  port,
                  address.getHostAddress(),
                  isOfThisHost(address) ? reason(e) : "it is not an address of this host"),
          e);
    }
  }

  private static boolean isOfThisHost(InetAddress address) {
    try {
      return address.isAnyLocalAddress()
          || address.isLoopbackAddress()
          || NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException unknown) {
      return true;
    }
  }

  /** Waits, without time limit, for the next client. */
  static TcpConnection accept(ServerSocket listening) {
    try {
      Socket socket = listening.accept();
      socket.setTcpNoDelay(true);
      return new TcpConnection(socket);
    } catch (IOException e) {
      throw new CommandFailure("accept() failed: " + reason(e), e);
    }
  }

  /** Waits, without time limit, for one client, then closes the port. */
  static TcpConnection acceptOnly(ServerSocket listening) {
    try (listening) {
      return accept(listening);
    } catch (IOException e) {
      throw new CommandFailure("Couldn't close the port: " + reason(e), e);
    }
  }

  void send(byte[] message, String trouble) {
    try {
      OutputStream out = socket.getOutputStream();
      out.write(message);
      out.flush();
    } catch (IOException e) {
      throw new CommandFailure(trouble + ": " + reason(e), e);
    }
  }

  /** Reads a message within a time limit for all its parts. */
  byte[] read(int length, TimeLimit limit, String trouble) {
    byte[] message = new byte[length];
    int filled = 0;
    try {
      InputStream in = socket.getInputStream();
      while (filled < length) {
        socket.setSoTimeout(limit.leftMillis());
        int taken = in.read(message, filled, length - filled);
        if (taken < 0) {
          throw new EOFException("the peer closed the connection");
        }
        filled += taken;
      }
      return message;
    } catch (SocketTimeoutException e) {
      String waited = "the peer was not done within " + limit.whole().toMillis() / 1000.0 + " s";
      throw new CommandFailure(filled + "/" + length + ": " + trouble + ": " + waited, e);
    } catch (IOException e) {
      throw new CommandFailure(filled + "/" + length + ": " + trouble + ": " + reason(e), e);
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new CommandFailure("Couldn't close the connection: " + e.getMessage(), e);
    }
  }

  /** Reason of the system, in lower case and without the name of the function. */
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
