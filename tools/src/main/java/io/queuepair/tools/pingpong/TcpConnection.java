package io.queuepair.tools.pingpong;

import io.queuepair.tools.cli.CommandFailure;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Locale;

/**
 * A connection to the peer, for messages of known length.
 *
 * @param socket connected
 * @param readTimeout how long to wait for what the peer has to say
 */
record TcpConnection(Socket socket, Duration readTimeout) implements AutoCloseable {
  static TcpConnection of(Socket socket, Duration readTimeout) throws IOException {
    socket.setSoTimeout(Math.toIntExact(readTimeout.toMillis()));
    return new TcpConnection(socket, readTimeout);
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

  byte[] read(int length, String trouble) {
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

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new CommandFailure("Couldn't close the connection: " + e.getMessage(), e);
    }
  }

  /** What the system said, in lower case and without the name of its function. */
  static String reason(IOException e) {
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
