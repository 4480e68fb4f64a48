// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Conversations recorded from Linux Soft-RoCE; {@code pcap/README.md} says how. */
class GoldenCaptureTest {
  /** Numbers of frames as {@code tcpdump} counts them, all and {@code udp dst port 4791}. */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "cm_rdma_client, 10, 10",
    "cm_rping, 41, 41",
    "errors, 300, 300",
    "rc_fetch_add, 10, 10",
    "rc_read, 30, 30",
    "rc_send, 32, 32",
    "rc_send_ipv6, 18, 18",
    "rc_send_mtu256, 72, 72",
    "rc_write, 30, 30",
    "uc_send, 24, 24",
    "ud_send, 8, 8",
    "ud_send_bw, 5, 5",
  })
  void everyPacketIsUnderstoodAndRewrittenByteForByte(String capture, int frames, int roce) {
    List<ByteBuffer> recorded = Pcapng.frames("/pcap/" + capture + ".pcapng");

    List<EthernetFrame> parsed =
        recorded.stream()
            .map(frame -> EthernetFrame.parse(frame, 0, frame.capacity()))
            .flatMap(Optional::stream)
            .toList();

    assertThat(recorded).hasSize(frames);
    assertThat(parsed).hasSize(roce);
    assertThat(parsed).allSatisfy(GoldenCaptureTest::assertIcrcIsRight);
    assertThat(parsed).allSatisfy(GoldenCaptureTest::assertRewrittenByteForByte);
  }

  private static void assertIcrcIsRight(EthernetFrame frame) {
    Payload datagram = frame.datagram();
    ByteBuffer bytes = datagram.buffer();
    int covered = datagram.length() - 4;
    int sent = Integer.reverseBytes(bytes.getInt(datagram.offset() + covered));
    Icrc icrc = new Icrc();

    assertThat(
            icrc.compute(frame.route(), frame.identification(), bytes, datagram.offset(), covered))
        .isEqualTo(sent);
    assertThat(icrc.verify(frame.route(), bytes, datagram.offset(), datagram.length())).isTrue();
  }

  private static void assertRewrittenByteForByte(EthernetFrame frame) {
    Payload datagram = frame.datagram();
    Packet packet =
        (Packet)
            new PacketCodec()
                .decode(frame.route(), datagram.buffer(), datagram.offset(), datagram.length());
    Encoded encoded = Encoded.of(packet, frame.identification());

    assertThat(new Payload(encoded.bytes(), 0, encoded.length())).isEqualTo(datagram);
  }
}
