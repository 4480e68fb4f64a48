// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.tools.cli.TcpConnection;
import io.queuepair.verbs.Mtu;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.aggregator.ArgumentsAccessor;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A server, to which a client says what no program of perftest does. */
@Timeout(60)
final class ControlChannelTest {
  private Socket client;
  private TcpConnection connection;
  private ControlChannel channel;

  @BeforeEach
  void connect() throws IOException {
    InetAddress here = InetAddress.getLoopbackAddress();
    try (ServerSocket listening = new ServerSocket(0, 1, here)) {
      client = new Socket(here, listening.getLocalPort());
      connection = TcpConnection.accept(listening);
      channel = ControlChannel.over(TcpControlLink.over(connection), true);
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

    assertThatThrownBy(() -> channel.agree(NegotiatedParameters.proposal(Mtu.MTU_1024)))
        .isInstanceOf(CommandFailure.class)
        .hasMessageMatching(
            "The peer speaks version '[ -~]+' of perftest's exchange; at least 5.70 is needed");
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 5, 1, 1, 1, size -1 is not above 0",
    "0, 5, 1, 1, 1, size 0 is not above 0",
    "8, -5, 1, 1, 1, iterations -5 is below 0",
    "8, 5, NaN, 1, 1, rate NaN is not a finite number from 0",
    "8, 5, 1, Infinity, 1, rate Infinity is not a finite number from 0",
    "8, 5, 1, 1, -0.5, rate -0.5 is not a finite number from 0",
  })
  void whatNobodyCanHaveMeasuredIsRefused(ArgumentsAccessor row) throws IOException {
    clientSays(
        bytes(
            new BandwidthResult(
                row.getLong(0),
                row.getLong(1),
                row.getDouble(2),
                row.getDouble(3),
                row.getDouble(4))));

    assertThatThrownBy(() -> channel.exchange(BandwidthResult.NONE))
        .isInstanceOf(CommandFailure.class)
        .hasMessage("Couldn't use the report of the peer: " + row.getString(5));
  }

  @Test
  void whatWasMeasuredIsBelieved() throws IOException {
    BandwidthResult report = new BandwidthResult(8, 0, 0, 1, 1);
    clientSays(bytes(report));

    assertThat(channel.exchange(BandwidthResult.NONE)).isEqualTo(report);
  }

  private static byte[] bytes(BandwidthResult report) {
    return ByteBuffer.allocate(5 * Long.BYTES)
        .putLong(report.sizeBytes())
        .putLong(report.iterations())
        .putDouble(report.peakMibPerSecond())
        .putDouble(report.averageMibPerSecond())
        .putDouble(report.millionsPerSecond())
        .array();
  }

  /** The host of the peer cannot vanish here, so only the socket options are checked. */
  @Test
  void theSystemAsksWhetherTheHostOfASilentPeerIsThere() throws IOException {
    Socket socket = connection.socket();

    assertThat(socket.getOption(StandardSocketOptions.SO_KEEPALIVE)).isTrue();
    assertThat(socket.getOption(ExtendedSocketOptions.TCP_KEEPIDLE)).isEqualTo(60);
    assertThat(
            socket.getOption(ExtendedSocketOptions.TCP_KEEPINTERVAL)
                * socket.getOption(ExtendedSocketOptions.TCP_KEEPCOUNT))
        .isEqualTo(60);
  }

  @Test
  void anOldVersionIsNamed() throws IOException {
    clientSays(Arrays.copyOf("5.60".getBytes(StandardCharsets.US_ASCII), 16));

    assertThatThrownBy(() -> channel.agree(NegotiatedParameters.proposal(Mtu.MTU_1024)))
        .hasMessageStartingWith("The peer speaks version '5.60' of");
  }

  /** Buffers become as large as the peer says: it may not take up all memory. */
  @ParameterizedTest
  @CsvSource({
    "1900000000, 64, cycle buffer of 1900000000 bytes; at most 1048576 are possible",
    "1048577, 64, cycle buffer of 1048577 bytes; at most 1048576 are possible",
    "-1, 64, cycle buffer of 4294967295 bytes; at most 1048576 are possible",
    "4096, 4097, cache line of 4097 bytes; at most 4096 are possible",
  })
  void buffersThatNoMachineNeedsAreRefused(int cycleBuffer, int cacheLine, String refusal)
      throws IOException {
    clientSays(parameters(cycleBuffer, cacheLine));

    assertThatThrownBy(() -> channel.agree(NegotiatedParameters.proposal(Mtu.MTU_1024)))
        .isInstanceOf(CommandFailure.class)
        .hasMessage("The peer names a " + refusal);
  }

  @Test
  void theLargestBuffersAreAgreedOn() throws IOException {
    clientSays(parameters(1 << 20, 4096));

    assertThat(channel.agree(NegotiatedParameters.proposal(Mtu.MTU_1024)))
        .isEqualTo(new NegotiatedParameters(1 << 20, 4096, Mtu.MTU_1024));
  }

  /** The version, the two numbers, and a path MTU of 1024. */
  private static byte[] parameters(int cycleBuffer, int cacheLine) {
    return ByteBuffer.allocate(26)
        .put(Arrays.copyOf(ControlChannel.VERSION.getBytes(StandardCharsets.US_ASCII), 16))
        .putInt(cycleBuffer)
        .putInt(cacheLine)
        .put((byte) '3')
        .array();
  }
}
