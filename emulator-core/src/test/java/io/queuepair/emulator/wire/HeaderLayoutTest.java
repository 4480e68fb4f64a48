// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every header against the layouts of the InfiniBand specification, byte for byte. */
class HeaderLayoutTest {
  static Stream<Arguments> extensions() {
    return Stream.of(
        row(new Rdeth(0x010203), "00 010203"), // reserved, end-to-end context
        row(new Deth(0x01020304, 0x050607), "01020304 00 050607"), // qkey, reserved, source qpn
        row(new XrcEth(0x010203), "00 010203"), // reserved, srqn
        row(new Feth(2, 1), "000000 12"), // reserved, selectivity and placement
        row( // virtual address, rkey, dma length
            new Reth(0x0102030405060708L, 0x090a0b0c, 0xfd0e0f10L),
            "0102030405060708 090a0b0c fd0e0f10"),
        row( // virtual address, rkey, swap or add, compare
            new AtomicEth(0x0102030405060708L, 0x090a0b0c, 0x1112131415161718L, 0x21L),
            "0102030405060708 090a0b0c 1112131415161718 0000000000000021"),
        row(new Aeth(0x63, 0x010203), "63 010203"), // syndrome, msn
        row(new AtomicAckEth(0x0102030405060708L), "0102030405060708"),
        row(new ImmDt(0x01020304), "01020304"),
        row(new Ieth(0x01020304), "01020304"),
        row(new CnpReserved(), "00000000000000000000000000000000"));
  }

  private static Arguments row(ExtensionHeader header, String bytes) {
    return Arguments.of(header, bytes);
  }

  @ParameterizedTest
  @MethodSource("extensions")
  void writesTheLayoutOfTheSpecification(ExtensionHeader header, String bytes) {
    ByteBuffer expected = Hex.buffer(bytes);
    ByteBuffer written = ByteBuffer.allocate(expected.capacity());

    header.write(written, 0);

    assertThat(written).isEqualTo(expected);
    assertThat(header.kind().bytes()).isEqualTo(expected.capacity());
  }

  @ParameterizedTest
  @MethodSource("extensions")
  void readsTheLayoutOfTheSpecification(ExtensionHeader header, String bytes) {
    ByteBuffer shifted = Hex.buffer("ffffff" + bytes + "ffffff");

    assertThat(header.kind().read(shifted, 3)).isEqualTo(header);
  }

  @ParameterizedTest
  @EnumSource
  void ignoresReservedBits(HeaderKind kind) {
    ByteBuffer ones = ByteBuffer.allocate(kind.bytes());
    for (int i = 0; i < kind.bytes(); i++) {
      ones.put(i, (byte) 0xff);
    }

    assertThat(kind.read(ones, 0).kind()).isEqualTo(kind);
  }

  @Test
  void writesEveryFieldOfTheBth() {
    Bth bth =
        new Bth(Opcode.UC_SEND_ONLY, true, true, 0x8123, true, true, 0x040506, true, 0x070809);

    ByteBuffer written =
        written(new Packet(TestRoutes.IPV4, bth, List.of(), Payload.of(new byte[1])));

    // opcode, SE.MigReq.PadCnt.TVer, P_Key, FECN.BECN, destination, AckReq, PSN
    assertThat(written.slice(0, 12)).isEqualTo(Hex.buffer("24 f0 8123 c0 040506 80 070809"));
    assertThat(Packet.of(TestRoutes.IPV4, written, 0, 20).bth()).isEqualTo(bth);
    assertThat(Bth.padCountAt(written, 0)).isEqualTo(3);
    assertThat(Bth.transportVersionAt(written, 0)).isZero();
  }

  @Test
  void writesEveryFlagOfTheBthInItsPlace() {
    Bth plain = Bth.of(Opcode.RC_ACKNOWLEDGE, 0x11, 0x64);

    assertThat(hex(plain)).isEqualTo("1100ffff0000001100000064");
    assertThat(hex(plain.withSolicited(true))).isEqualTo("1180ffff0000001100000064");
    assertThat(hex(plain.withMigrated(true))).isEqualTo("1140ffff0000001100000064");
    assertThat(hex(plain.withPkey(0x7fff))).isEqualTo("11007fff0000001100000064");
    assertThat(hex(plain.withBecn(true))).isEqualTo("1100ffff4000001100000064");
    assertThat(hex(plain.withAckRequest(true))).isEqualTo("1100ffff0000001180000064");
  }

  private static String hex(Bth bth) {
    Packet ack = new Packet(TestRoutes.IPV4, bth, List.of(Aeth.ack(1)), Payload.EMPTY);
    return Hex.of(written(ack), 0, 12);
  }

  private static ByteBuffer written(Packet packet) {
    return Encoded.of(packet, 0).bytes();
  }
}
