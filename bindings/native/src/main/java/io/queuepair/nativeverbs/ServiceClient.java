// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;

/** Client that sends requests of a command to a service. */
final class ServiceClient {
  private static final int MESSAGE_ROOM = 1 << 16;

  private final byte[] name;
  private final byte[] secret;

  private ServiceClient(byte[] name, byte[] secret) {
    this.name = name;
    this.secret = secret;
  }

  /** Start of the answer to a refused request. */
  static final String REFUSED = "refused: ";

  /** Client of the service that variables name. */
  static ServiceClient of(Map<String, String> variables) {
    ServiceProcess.library();
    return new ServiceClient(
        variables.getOrDefault(Variables.SERVICE, "").getBytes(StandardCharsets.US_ASCII),
        HexFormat.of().parseHex(variables.getOrDefault(Variables.SECRET, "")));
  }

  boolean isAlive() {
    int connection = connect();
    if (connection < 0) {
      return false;
    }
    Kernel.close(connection);
    return true;
  }

  private int connect() {
    return Kernel.connect(HostService.direct(name), name.length);
  }

  /**
   * Sends a request and waits for the answer.
   *
   * @throws NativeException if no service runs, or it refuses the request
   */
  String ask(String request) {
    ByteBuffer message = ByteBuffer.allocateDirect(MESSAGE_ROOM + Long.BYTES);
    message.order(ByteOrder.nativeOrder());
    int connection = connect();
    if (connection < 0) {
      throw new NativeException(ServiceProcess.NONE);
    }
    try {
      Kernel.receive(connection, message, MESSAGE_ROOM); // The hello of the service is sent back.
      message.put(Protocol.HELLO_PROOF, secret, Protocol.PROOF_BYTES, Protocol.PROOF_BYTES);
      Kernel.send(connection, message, 0, Protocol.HELLO_BYTES, 0, 0, 0);
      byte[] word = request.getBytes(StandardCharsets.UTF_8);
      message.put(0, word);
      Kernel.send(connection, message, 0, word.length, 0, 0, 0);
      byte[] answer = new byte[Math.max(0, Kernel.receive(connection, message, MESSAGE_ROOM))];
      message.get(0, answer);
      String text = new String(answer, StandardCharsets.UTF_8);
      if (text.startsWith(REFUSED)) {
        throw new NativeException(text.substring(REFUSED.length()));
      }
      return text;
    } finally {
      Kernel.close(connection);
    }
  }
}
