// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.interop;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** The TCP connection of the integrity protocol, one line of text at a time. */
final class IntegrityLines {
  private static final int TIMEOUT_MILLIS = 60_000;

  private final Socket socket;
  private final BufferedReader reader;

  IntegrityLines(Socket socket) throws IOException {
    this.socket = socket;
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.setTcpNoDelay(true);
    reader =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
  }

  void write(String line) throws IOException {
    socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
  }

  String read() throws IOException {
    String line = reader.readLine();
    if (line == null) {
      throw new IOException("the other side closed the connection");
    }
    if (line.startsWith("error ")) {
      throw new IOException("the other side says: " + line);
    }
    return line;
  }

  void expect(String line) throws IOException {
    String got = read();
    if (!got.equals(line)) {
      throw new IOException("expected the line '" + line + "', got '" + got + "'");
    }
  }
}
