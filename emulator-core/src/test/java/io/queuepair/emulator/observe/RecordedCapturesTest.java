// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import static io.queuepair.emulator.observe.CaptureBytes.hex;
import static io.queuepair.emulator.observe.TestHosts.A;
import static io.queuepair.emulator.observe.TestHosts.B;
import static io.queuepair.emulator.observe.TestHosts.host;
import static io.queuepair.emulator.observe.TestHosts.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.observe.PacketRecord.Integrity;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketCodec;
import io.queuepair.emulator.wire.Payload;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every packet of the recorded conversations against what Wireshark says of it. Opcodes that it
 * does not know are laid out by hand from the tables of the specification (annexes A14 XRC, A17
 * RoCEv2, A19 memory placement); their ICRCs come from a separate program that reproduces packets
 * recorded from hardware. Files with bytes changed, and cut anywhere, are refused in words, or
 * decoded.
 */
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

  @ParameterizedTest(name = "{2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          4500003c00004000401126af0a0000010a000002 c12312b700280000 \
          a530ffff00000a1180000064 00000b12 01020304 68656c6c6f000000 | 6ca72afd \
          | XRC_SEND_ONLY_WITH_IMM | srqn | 2834
          4500004400004000401126a70a0000010a000002 c12312b700300000 \
          aa00ffff00000a1180000065 00000b12 00007f0000001000 00001234 00000004 61626364 | 14c66d17 \
          | XRC_RDMA_WRITE_ONLY | va | 0x7f0000001000
          4500004c000040004011269f0a0000010a000002 c12312b700380000 \
          b300ffff00000a1180000066 00000b12 00007f0000001008 00001234 1112131415161718 \
          0000000000000021 | 98df7960 | XRC_COMPARE_SWAP | compare | 0x21
          4500003400004000401126b70a0000010a000002 c12312b700200000 \
          b700ffff00000a1180000067 00000b12 00005678 | db13a6c1 \
          | XRC_SEND_ONLY_WITH_INVALIDATE | invalidate_rkey | 0x00005678
          4500003000004000401126bb0a0000010a000002 c12312b7001c0000 \
          b100ffff00000a1200000067 1f000004 | 42396efb | XRC_ACKNOWLEDGE | msn | 4
          4500003800004000401126b30a0000010a000002 c12312b700240000 \
          b200ffff00000a1200000066 1f000003 0000000000000021 | 4fbe0312 \
          | XRC_ATOMIC_ACKNOWLEDGE | original | 0x21
          4500003400004000401126b70a0000010a000002 c12312b700200000 \
          b000ffff00000a1200000068 1f000005 61626364 | b0f03341 \
          | XRC_RDMA_READ_RESPONSE_ONLY | payload | 4
          4500004000004000401126ab0a0000010a000002 c12312b7002c0000 \
          1c00ffff0000001180000064 00000012 00007f0000001000 00001234 00001000 | 9ac2caec \
          | RC_FLUSH | placement | 2
          4500004000004000401126ab0a0000010a000002 c12312b7002c0000 \
          1c00ffff0000001180000064 00000012 00007f0000001000 00001234 00001000 | 9ac2caec \
          | RC_FLUSH | selectivity | 1
          4500004400004000401126a70a0000010a000002 c12312b700300000 \
          1d00ffff0000001180000065 00007f0000001000 00001234 00000008 0102030405060708 | a7435a33 \
          | RC_ATOMIC_WRITE | dma_length | 8
          4500003c00004000401126af0a0000010a000002 c12312b700280000 \
          8100ffff4000011800000000 00000000000000000000000000000000 | ab61900a | CNP | becn | true
          """)
  void areDecodedAndReproduced(
      String packet, String icrc, String opcode, String field, String value) {
    CaptureBytes file = new CaptureBytes(ByteOrder.LITTLE_ENDIAN).pcap(0xa1b2c3d4, 101);

    PacketRecord record = file.record(0, 0, hex(packet + icrc)).packets().get(0);

    assertThat(record.integrity()).isEqualTo(Integrity.ICRC_OK);
    assertThat(record.isReproduced()).isTrue();
    assertThat(record.fields()).containsEntry("opcode", opcode);
    assertThat(record.fields().get(field)).hasToString(value);
  }

  private static final List<byte[]> FILES =
      List.of(
          resource("errors.pcapng"),
          resource("rc_send_ipv6.pcapng"),
          resource("cm_rdma_client.pcapng"));

  @Property(tries = 500)
  void changedFilesNeverThrowAnythingElse(
      @ForAll @IntRange(max = 2) int file,
      @ForAll @IntRange(min = 1, max = 40) int changes,
      @ForAll long seed) {
    byte[] changed = FILES.get(file).clone();
    Random random = new Random(seed);
    for (int i = 0; i < changes; i++) {
      changed[random.nextInt(changed.length)] = (byte) random.nextInt();
    }

    assertThatCode(() -> decode(changed)).doesNotThrowAnyException();
  }

  @Property(tries = 300)
  void cutFilesNeverThrowAnythingElse(
      @ForAll @IntRange(max = 2) int file, @ForAll @IntRange(max = 65_535) int at) {
    byte[] cut = Arrays.copyOf(FILES.get(file), at % FILES.get(file).length);

    assertThatCode(() -> decode(cut)).doesNotThrowAnyException();
  }

  private static void decode(byte[] file) {
    try {
      CaptureBytes.packets(file);
    } catch (FabricException refused) {
      // One sentence for people, which is what a broken file gets.
      assert refused.getMessage().startsWith("The capture file test ") : refused.getMessage();
    }
  }

  private final IpIdSearch search = new IpIdSearch();

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 0", "1, 1024", "4660, 3", "32768, 256", "65535, 4096", "43981, 17"})
  void findsWhatTheSenderUsed(int identification, int payloadBytes) {
    Packet packet = TestPackets.send(route(A, B), 100, payloadBytes);

    int found = search.find(packet.route(), encoded(packet, identification));

    assertThat(found).isEqualTo(identification);
  }

  @Test
  void corruptedDatagramHasNone() {
    Packet packet = TestPackets.send(route(A, B), 100, 64);
    Payload datagram = encoded(packet, 77);
    datagram.buffer().put(20, (byte) 1);

    assertThat(search.find(packet.route(), datagram)).isZero();
  }

  @Test
  void ipv6HasNone() {
    Packet packet = TestPackets.send(route(host("fd00::1"), host("fd00::2")), 100, 64);

    assertThat(search.find(packet.route(), encoded(packet, 0))).isZero();
  }

  @Test
  void datagramTooShortForAPacketHasNone() {
    Payload datagram = Payload.of(new byte[] {1, 2, 3});

    assertThat(search.find(route(A, B), datagram)).isZero();
  }

  private static Payload encoded(Packet packet, int identification) {
    ByteBuffer bytes = ByteBuffer.allocate(5_000);
    return new Payload(bytes, 0, new PacketCodec().encode(packet, identification, bytes, 0));
  }
}
