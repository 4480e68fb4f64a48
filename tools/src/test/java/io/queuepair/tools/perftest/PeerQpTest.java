// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.verbs.Gid;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class PeerQpTest {
  /** What ib_read_bw said, and what it printed about it. */
  private static final String RECORDED =
      "0000:0080:000016:f00101:000007b7:00005637528f1000"
          + ":00:00:00:00:00:00:00:00:00:00:ff:ff:c0:00:02:02:00000000:\0";

  @Test
  void understandsWhatPerftestSaysOfAQueuePair() throws UnknownHostException {
    PeerQp peerQp = PeerQp.ofMessage(bytes(RECORDED));

    assertThat(peerQp)
        .isEqualTo(
            new PeerQp(
                128,
                0x16,
                0xf00101,
                0x7b7,
                0x5637528f1000L,
                Gid.of(InetAddress.getByName("192.0.2.2")),
                0));
    assertThat(peerQp.toMessage()).isEqualTo(bytes(RECORDED));
  }

  @Test
  void printsItAsPerftestDoes() {
    assertThat(PeerQp.ofMessage(bytes(RECORDED)).describe("local", PerftestOperation.READ).lines())
        .containsExactly(
            " local address: LID 0000 QPN 0x0016 PSN 0xf00101 OUT 0x80 RKey 0x0007b7"
                + " VAddr 0x005637528f1000",
            " GID: 00:00:00:00:00:00:00:00:00:00:255:255:192:00:02:02");
  }

  @Test
  void refusesWhatIsNone() {
    assertThatThrownBy(() -> PeerQp.ofMessage(bytes("hello\n")))
        .isInstanceOf(CommandFailure.class)
        .hasMessage(
            "Couldn't read remote address: \"hello.\" is not what perftest says of a queue pair");
    assertThatThrownBy(
            () ->
                PeerQp.ofMessage(bytes(RECORDED.replace("ff:ff:c0:00:02:02", "00:00:00:00:00:00"))))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("it has no GID");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
