// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import static io.queuepair.emulator.observe.CaptureBytes.SEND;
import static io.queuepair.emulator.observe.CaptureBytes.hex;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.observe.PacketRecord.Integrity;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CaptureFileTest {
  private static final int MICROSECONDS = 0xa1b2c3d4;
  private static final int NANOSECONDS = 0xa1b23c4d;
  private static final int ETHERNET = 1;
  private static final int RAW = 101;
  private static final int ENDS_OF_MACS = 12;

  private static byte[] ethernet(String typeAndBody) {
    return hex("00".repeat(ENDS_OF_MACS) + typeAndBody);
  }

  @ParameterizedTest(name = "link type {0}")
  @CsvSource({
    "0, 02000000",
    "1, 000000000000 000000000000 0800",
    "1, 000000000000 000000000000 8100 0005 0800",
    "1, 000000000000 000000000000 88a8 0005 8100 0006 0800",
    "12, ''",
    "101, ''",
    "108, 00000002",
    "113, 0000 0001 0006 0000000000000000 0800",
    "228, ''",
    "276, 0800 0000 00000001 0001 00 06 0000000000000000",
  })
  void findsThePacketBehindTheHeaderOfTheLink(int linkType, String header) {
    CaptureBytes file = new CaptureBytes(ByteOrder.LITTLE_ENDIAN).pcap(MICROSECONDS, linkType);

    PacketRecord packet = file.record(1, 0, hex(header + SEND)).packets().get(0);

    assertThat(packet.integrity()).isEqualTo(Integrity.ICRC_OK);
    assertThat(packet.isReproduced()).isTrue();
    assertThat(packet.source().getHostAddress()).isEqualTo("10.0.0.1");
    assertThat(packet.destination().getHostAddress()).isEqualTo("10.0.0.2");
    assertThat(packet.sourcePort()).isEqualTo(0xc123);
    assertThat(packet.length()).isEqualTo(24);
    assertThat(packet.fields())
        .containsEntry("opcode", "RC_SEND_ONLY")
        .containsEntry("qpn", 0x11)
        .containsEntry("psn", 0x123456)
        .containsEntry("ackreq", true)
        .containsEntry("payload", 5);
    assertThat(packet.text()).isEqualTo("RC_SEND_ONLY qp=0x000011 psn=1193046 ackreq 5 bytes");
  }

  @ParameterizedTest
  @CsvSource({"true, false", "true, true", "false, false", "false, true"})
  void readsPcapOfEitherByteOrderAndUnit(boolean isBigEndian, boolean hasNanos) {
    ByteOrder order = isBigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    int magic = hasNanos ? NANOSECONDS : MICROSECONDS;

    PacketRecord packet =
        new CaptureBytes(order).pcap(magic, RAW).record(3, 7, hex(SEND)).packets().get(0);

    assertThat(packet.epochNanos()).isEqualTo(3_000_000_000L + (hasNanos ? 7 : 7_000));
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void readsPcapngOfEitherByteOrder(boolean isBigEndian) {
    ByteOrder order = isBigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    CaptureBytes file =
        new CaptureBytes(order)
            .section()
            .other(5)
            .describe(ETHERNET, new byte[0])
            .describe(RAW, nanoseconds(order))
            .enhanced(0, 1_000_002, ethernet("0800" + SEND), "why")
            .other(0x0bad)
            .enhanced(1, 5_000_000_003L, hex(SEND), "");

    assertThat(file.packets())
        .extracting(PacketRecord::epochNanos)
        .containsExactly(1_000_002_000L, 5_000_000_003L);
    assertThat(file.packets().get(0).comments()).containsExactly("why");
    assertThat(file.packets()).extracting(PacketRecord::frameNumber).containsExactly(1L, 2L);
  }

  /** Option if_tsresol: 10 to the power of -9. */
  private static byte[] nanoseconds(ByteOrder order) {
    boolean isBigEndian = order == ByteOrder.BIG_ENDIAN;
    return hex((isBigEndian ? "0009 0001" : "0900 0100") + " 09000000 00000000");
  }

  @Test
  void readsSimplePacketsAndSectionsThatFollow() {
    CaptureBytes big = new CaptureBytes(ByteOrder.BIG_ENDIAN).section().describe(RAW, new byte[0]);
    CaptureBytes little = new CaptureBytes(ByteOrder.LITTLE_ENDIAN).section();
    byte[] first = big.simple(hex(SEND)).toArray();
    byte[] second = little.describe(RAW, new byte[0]).simple(hex(SEND)).toArray();
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);

    assertThat(CaptureBytes.packets(both)).hasSize(2);
  }

  @Test
  void decompresses() throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
      out.write(oneSend());
    }

    assertThat(CaptureBytes.packets(compressed.toByteArray())).hasSize(1);
  }

  /** A named pipe, which java.nio fails to seek in when asked how much there is. */
  private static InputStream pipe(byte[] bytes) {
    return new FilterInputStream(new ByteArrayInputStream(bytes)) {
      @Override
      public int available() throws IOException {
        throw new IOException("Illegal seek");
      }
    };
  }

  @Test
  void readsANamedPipe() throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
      out.write(oneSend());
    }
    byte[] cut = Arrays.copyOf(oneSend(), oneSend().length - 1);

    try (CaptureFile file = CaptureFile.read("pipe", pipe(compressed.toByteArray()))) {
      assertThat(file.next()).isPresent();
      assertThat(file.next()).isEmpty();
    }
    try (CaptureFile file = CaptureFile.read("pipe", pipe(cut))) {
      assertThatThrownBy(file::next)
          .hasMessageStartingWith(
              "The capture file pipe ends at offset " + cut.length + ", within");
    }
  }

  /** A stream is cut within its header of 10 bytes, and within its data; or a byte is another. */
  @ParameterizedTest
  @CsvSource({
    "5, -1, 'behind offset 0: the gzip stream ends early.'",
    "-9, -1, 'the gzip stream ends early.'",
    "0, 2, 'behind offset 0: the gzip stream is broken: Unsupported compression method.'",
    "0, -1, 'the gzip stream is broken: Corrupt GZIP trailer.'",
  })
  void brokenGzipIsNamed(int length, int changedAt, String message) throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
      out.write(oneSend());
    }
    byte[] whole = compressed.toByteArray();
    if (length == 0) {
      whole[Math.floorMod(changedAt, whole.length)]++;
    }
    byte[] broken = Arrays.copyOf(whole, length > 0 ? length : whole.length + length);

    assertThatThrownBy(() -> CaptureBytes.packets(broken))
        .isInstanceOf(FabricException.class)
        .hasMessageEndingWith(message);
  }

  private static byte[] oneSend() {
    return new CaptureBytes(ByteOrder.LITTLE_ENDIAN)
        .pcap(MICROSECONDS, RAW)
        .record(1, 0, hex(SEND))
        .toArray();
  }

  @Test
  void skipsAndCountsWhatIsNotRoce() {
    byte[] file =
        new CaptureBytes(ByteOrder.LITTLE_ENDIAN)
            .pcap(MICROSECONDS, ETHERNET)
            .record(1, 0, ethernet("0806 0001"))
            .record(1, 0, ethernet("0800" + SEND))
            .record(1, 0, ethernet("0800" + SEND.replace("12b7", "0035")))
            .toArray();

    try (CaptureFile capture = CaptureFile.read("test", new ByteArrayInputStream(file))) {
      assertThat(capture.next()).get().extracting(PacketRecord::frameNumber).isEqualTo(2L);
      assertThat(capture.next()).isEmpty();
      assertThat(capture.skippedKinds()).containsExactly(entry("not RoCEv2", 2L));
    }
  }

  /**
   * Ethernet types of RoCE v1 (annex A16) and GRE (RFC 2784), the port of VXLAN (RFC 7348), and
   * fragments by RFC 791 (more to come, then offset 1,480) and RFC 8200.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          8915 6000 0000                              | RoCE v1, not decoded
          8100 0005 8915 6000 0000                    | RoCE v1, not decoded
          0800 UDP4 2000 4011 0000 ADR4 c123 12b7     | IP fragments, which are not put together
          0800 UDP4 00b9 4011 0000 ADR4 6162 6364     | IP fragments, which are not put together
          0800 UDP4 2000 4006 0000 ADR4 c123 12b7     | not RoCEv2
          86dd 60000000 0010 2c40 ADR6 1100 0001 0000 0007 c123 12b7 | IP fragments, which are not \
          put together
          0800 UDP4 4000 4011 0000 ADR4 c123 12b5     | VXLAN, whose contents are not decoded
          86dd 60000000 0010 1140 ADR6 c123 12b5      | VXLAN, whose contents are not decoded
          0800 UDP4 4000 402f 0000 ADR4 1000 88be     | ERSPAN, whose contents are not decoded
          0800 UDP4 4000 402f 0000 ADR4 1000 22eb     | ERSPAN, whose contents are not decoded
          0800 UDP4 4000 402f 0000 ADR4 0000 0800     | not RoCEv2
          0806 0001                                   | not RoCEv2
          """)
  void saysWhatItSkips(String frame, String kind) {
    byte[] bytes =
        ethernet(
            frame
                .replace("UDP4", "45000034 0001")
                .replace("ADR4", "0a000001 0a000002")
                .replace("ADR6", "fe80" + "00".repeat(14) + "fe80" + "00".repeat(14)));

    assertThat(skippedKinds(ETHERNET, bytes)).containsExactly(entry(kind, 1L));
    for (int length = 0; length < bytes.length; length++) {
      assertThat(skippedKinds(ETHERNET, Arrays.copyOf(bytes, length))).hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "247, 'link type 247 (InfiniBand), which is not read'",
    "197, 'link type 197 (ERF), which is not read'",
    "105, 'link type 105, which is not read'",
    "113, 'RoCE v1, not decoded'",
  })
  void saysWhichLinkTypeItSkips(int linkType, String kind) {
    byte[] cooked = hex("0000 0001 0006 0000000000000000 8915 6000");

    assertThat(skippedKinds(linkType, cooked)).containsExactly(entry(kind, 1L));
  }

  private static Map<String, Long> skippedKinds(int linkType, byte[] frame) {
    byte[] file =
        new CaptureBytes(ByteOrder.LITTLE_ENDIAN)
            .pcap(MICROSECONDS, linkType)
            .record(1, 0, frame)
            .toArray();
    try (CaptureFile capture = CaptureFile.read("test", new ByteArrayInputStream(file))) {
      assertThat(capture.next()).isEmpty();
      return capture.skippedKinds();
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a bit of the payload | 6865 | 6864 | ICRC_BAD  | 5 bytes
          a bit of the ICRC    | c6a4 | c6a5 | ICRC_BAD  | 5 bytes
          identification       | 4500003400004000 | 4500003400014000 | ICRC_BAD | 5 bytes
          fragmentation flags  | 4500003400004000 | 4500003400000000 | ICRC_BAD | 5 bytes
          what routers change  | 4500003400004000401126b7 | 45c2003400004000101126b7 | ICRC_OK | 5
          reserved opcode      | 0430ffff | 1530ffff | MALFORMED \
          | opcode(0x15) qp=0x000011 psn=1193046
          transport version    | 0430ffff | 0431ffff | MALFORMED \
          | The transport header version is not 0.
          """)
  void tellsWhatIsWrong(String what, String right, String wrong, Integrity integrity, String text) {
    CaptureBytes file = new CaptureBytes(ByteOrder.LITTLE_ENDIAN).pcap(MICROSECONDS, RAW);

    PacketRecord packet = file.record(1, 0, hex(SEND.replace(right, wrong))).packets().get(0);

    assertThat(packet.integrity()).isEqualTo(integrity);
    assertThat(packet.text()).contains(text);
  }

  @Test
  void packetCutByTheSnapLengthShowsWhatIsThere() {
    byte[] cut = Arrays.copyOf(hex(SEND), 44);

    PacketRecord packet =
        new CaptureBytes(ByteOrder.LITTLE_ENDIAN)
            .pcap(MICROSECONDS, RAW)
            .record(1, 0, cut)
            .packets()
            .get(0);

    assertThat(packet.integrity()).isEqualTo(Integrity.MALFORMED);
    assertThat(packet.text())
        .isEqualTo(
            "RC_SEND_ONLY(0x04) qp=0x000011 psn=1193046,"
                + " malformed: Only 16 of 24 bytes are here.");
  }

  @Test
  void fileThatEndsWithinAPacketGivesThoseBefore() {
    byte[] whole =
        new CaptureBytes(ByteOrder.LITTLE_ENDIAN)
            .pcap(MICROSECONDS, RAW)
            .record(1, 0, hex(SEND))
            .record(1, 0, hex(SEND))
            .toArray();
    byte[] cut = Arrays.copyOf(whole, whole.length - 1);

    try (CaptureFile capture = CaptureFile.read("f", new ByteArrayInputStream(cut))) {
      assertThat(capture.next()).isPresent();
      // 24 bytes of file header, 16 of record header, 52 of packet; and all but one of the second.
      assertThatThrownBy(capture::next)
          .isInstanceOf(FabricException.class)
          .hasMessage(
              "The capture file f ends at offset 159, within the packet that begins at offset 92.");
    }
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource({
    "'', broken at offset 0: it begins as neither pcap nor pcapng does.",
    "68656c6c6f20776f726c6421, broken at offset 0: it begins as neither pcap nor pcapng does.",
    "0a0d0d0a 0000001c 12345678, broken at offset 0: a section has no byte-order magic.",
    "0a0d0d0a 0000001d 1a2b3c4d, broken at offset 0: a block says that it is 29 bytes long.",
    "0a0d0d0a 0000000c 1a2b3c4d, broken at offset 0: a block says that it is 12 bytes long.",
  })
  void brokenBeginningIsNamed(String beginning, String message) {
    assertThatThrownBy(() -> CaptureBytes.packets(hex(beginning)))
        .isInstanceOf(FabricException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource({
    "00000006 00000020 00000001 00000000 00000000 00000000 00000000 00000020,"
        + " a packet is of interface 1",
    "00000006 00000020 00000000 00000000 00000000 7fffffff 7fffffff 00000020,"
        + " a packet says that it has 2147483647 bytes",
    "00000006 00000020 00000000 00000000 00000000 00000000 00000000 00000024,"
        + " the lengths before and behind a block differ",
    "00000006 7ffffff0 00000000, the block of a packet is 2147483620 bytes long",
    "00000001 00000020 00650000 00000000 00090001 7f000000 00000000 00000020,"
        + " an interface has a time resolution that is none",
  })
  void brokenBlockIsNamedWithItsOffset(String block, String message) {
    byte[] good =
        new CaptureBytes(ByteOrder.BIG_ENDIAN).section().describe(RAW, new byte[0]).toArray();
    byte[] bad = hex(block);
    byte[] file = Arrays.copyOf(good, good.length + bad.length);
    System.arraycopy(bad, 0, file, good.length, bad.length);

    assertThatThrownBy(() -> CaptureBytes.packets(file))
        .isInstanceOf(FabricException.class)
        .hasMessageContaining("broken at offset ")
        .hasMessageContaining(message);
  }

  @Test
  void packetLongerThanAnyCaptureHoldsIsRefused() {
    byte[] file = oneSend();
    file[24 + 8 + 2] = 0x7f;

    assertThatThrownBy(() -> CaptureBytes.packets(file))
        .hasMessageContaining("broken at offset 24: a packet says that it has 8323124 bytes");
  }

  @Test
  void fileThatIsNotThereIsRefused() {
    assertThatThrownBy(() -> CaptureFile.open(Path.of("no/such/file")))
        .isInstanceOf(FabricException.class)
        .hasMessage(
            "The capture file no/such/file cannot be opened: there is no such file or folder.");
  }
}
