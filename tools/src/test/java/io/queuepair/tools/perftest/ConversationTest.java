package io.queuepair.tools.perftest;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.tools.cli.TcpConnection;
import io.queuepair.verbs.Mtu;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server, to which a client says what no program of perftest does. */
@Timeout(60)
final class ConversationTest {
  private Socket client;
  private TcpConnection connection;
  private Conversation conversation;

  @BeforeEach
  void connect() throws IOException {
    InetAddress here = InetAddress.getLoopbackAddress();
    try (ServerSocket listening = new ServerSocket(0, 1, here)) {
      client = new Socket(here, listening.getLocalPort());
      connection = TcpConnection.accept(listening);
      conversation = new Conversation(connection, true);
    }
  }

  @AfterEach
  void hangUp() throws IOException {
    client.close();
    connection.close();
  }

  private void clientSays(byte[] message) throws IOException {
    client.getOutputStream().write(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\033]0;gotcha\007", "\033[2J\033[1;31mBAD", "\2335n\r\n\u00e9"})
  void aVersionThatIsNoneCannotHarmATerminal(String version) throws IOException {
    clientSays(Arrays.copyOf(version.getBytes(StandardCharsets.ISO_8859_1), 16));

    assertThatThrownBy(() -> conversation.agree(Agreement.proposal(Mtu.MTU_1024)))
        .isInstanceOf(CommandFailure.class)
        .hasMessageMatching(
            "The peer speaks version '[ -~]+' of perftest's exchange; at least 5.70 is needed");
  }

  @Test
  void anOldVersionIsNamed() throws IOException {
    clientSays(Arrays.copyOf("5.60".getBytes(StandardCharsets.US_ASCII), 16));

    assertThatThrownBy(() -> conversation.agree(Agreement.proposal(Mtu.MTU_1024)))
        .hasMessageStartingWith("The peer speaks version '5.60' of");
  }
}
