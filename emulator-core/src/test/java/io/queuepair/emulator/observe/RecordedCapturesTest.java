// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.observe.PacketRecord.Integrity;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every packet of the recorded conversations against what Wireshark says of it. */
final class RecordedCapturesTest {
  /** UDP length counts its own header. */
  private static final int UDP_HEADER_BYTES = 8;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cm_rdma_client",
        "cm_rping",
        "errors",
        "rc_fetch_add",
        "rc_read",
        "rc_send",
        "rc_send_ipv6",
        "rc_send_mtu256",
        "rc_write",
        "uc_send",
        "ud_send",
        "ud_send_bw"
      })
  void everyPacketIsWhatWiresharkSays(String capture) {
    List<PacketRecord> packets = CaptureBytes.packets(resource(capture + ".pcapng"));

    assertThat(packets)
        .extracting(packet -> capture + "\t" + line(packet))
        .containsExactlyElementsOf(recordedLines(capture));
    assertThat(packets).allMatch(packet -> packet.integrity() == Integrity.ICRC_OK);
    assertThat(packets).allMatch(PacketRecord::isReproduced);
  }

  private static String line(PacketRecord packet) {
    return String.format(
        "%d\t%s\t0x%06x\t%s\t%d",
        packet.frameNumber(),
        packet.fields().get("opcode_value"),
        (int) packet.fields().get("qpn"),
        packet.fields().get("psn"),
        packet.length() + UDP_HEADER_BYTES);
  }

  private static List<String> recordedLines(String capture) {
    String all = new String(resource("tshark.tsv"), StandardCharsets.UTF_8);
    List<String> lines = all.lines().filter(line -> line.startsWith(capture + "\t")).toList();
    assertThat(lines).isNotEmpty();
    return lines;
  }

  static byte[] resource(String name) {
    try (InputStream stream = RecordedCapturesTest.class.getResourceAsStream("/pcap/" + name)) {
      return stream.readAllBytes();
    } catch (IOException failure) {
      throw new UncheckedIOException(name, failure);
    }
  }
}
