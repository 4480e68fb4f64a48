// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import static io.queuepair.lab.bench.BenchmarkNetwork.UDP_BY_CALLERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.udp.UdpOptions;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

final class SendPingPongTest {
  private static final int MESSAGE_BYTES = 64;
  private static final long TURN_NANOS = 50_000_000;

  @Test
  void twoCallersWhoSpinExchangeMessages() {
    try (SendPingPong load = new SendPingPong(UDP_BY_CALLERS, MESSAGE_BYTES, false)) {
      assertThat(load.run(TURN_NANOS)).isPositive();
      assertThat(load.run(TURN_NANOS)).as("after a pause").isPositive();
    }
  }

  @Test
  void saysWhyTheOtherSideDoesNotOpen() throws IOException {
    String address = BenchmarkNetwork.address(1);
    try (DatagramSocket taken =
        new DatagramSocket(new InetSocketAddress(address, UdpOptions.defaults().port()))) {
      assertThat(taken.isBound()).isTrue();

      assertThatThrownBy(() -> new SendPingPong(UDP_BY_CALLERS, MESSAGE_BYTES, false))
          .hasMessage("the other side failed")
          .hasStackTraceContaining(address);
    }
  }
}
