// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PacketCodecTest {
  private static final Packet HELLO =
      new Packet(
          TestRoutes.IPV4,
          Bth.of(Opcode.RC_SEND_ONLY, 0x11, 0x123456).withAckRequest(true),
          List.of(),
          Payload.of(Hex.bytes("68656c6c6f")));

  // opcode se.mig.pad.tver pkey becn qpn ackreq psn, payload, pad, ICRC
  private static final String HELLO_BYTES =
      "04 30 ffff 00 000011 80 123456  68656c6c6f 000000  c6a414ee";

  private final PacketCodec codec = new PacketCodec();

  @Test
  void encodesHeadersPayloadPadAndIcrc() {
    ByteBuffer into = ByteBuffer.allocate(24);

    int written = codec.encode(HELLO, 0, into, 0);

    assertThat(written).isEqualTo(24).isEqualTo(PacketCodec.encodedBytes(HELLO));
    assertThat(into).isEqualTo(Hex.buffer(HELLO_BYTES));
  }

  @Test
  void encodesAtAnOffsetOfADirectBufferAndMovesNothing() {
    ByteBuffer into = ByteBuffer.allocateDirect(1000).position(7).limit(900);

    codec.encode(HELLO, 0, into, 301);

    assertThat(into.position()).isEqualTo(7);
    assertThat(into.limit()).isEqualTo(900);
    assertThat(into.slice(301, 24)).isEqualTo(Hex.buffer(HELLO_BYTES));
    assertThat(into.get(300)).isZero();
    assertThat(into.get(325)).isZero();
  }

  @Test
  void overwritesStalePadBytes() {
    ByteBuffer into = Hex.buffer("ff".repeat(24));

    codec.encode(HELLO, 0, into, 0);

    assertThat(into).isEqualTo(Hex.buffer(HELLO_BYTES));
  }

  @Test
  void decodesAPayloadAsAViewAndMovesNothing() {
    ByteBuffer bytes = ByteBuffer.allocateDirect(100).position(3).limit(90);
    bytes.put(50, Hex.bytes(HELLO_BYTES));

    Packet packet = (Packet) codec.decode(TestRoutes.IPV4, bytes, 50, 24);

    assertThat(packet).isEqualTo(HELLO);
    assertThat(packet.payload().buffer()).isSameAs(bytes);
    assertThat(packet.payload().offset()).isEqualTo(62);
    assertThat(bytes.position()).isEqualTo(3);
    assertThat(bytes.limit()).isEqualTo(90);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "TOO_SHORT, ''",
    "TOO_SHORT, 0400ffff0000001100000000 000000", // one byte less than BTH and ICRC
    "UNKNOWN_OPCODE, 1500ffff0000001100000000 00000000",
    "UNKNOWN_OPCODE, c000ffff0000001100000000 00000000",
    "UNKNOWN_OPCODE, 150fffff0000000000000000 00000000", // before version and QP number
    "BAD_LENGTH, 1100ffff0000001100000000 00000000", // no room for the AETH
    "BAD_LENGTH, 110fffff0000000000000000 00000000", // before version and QP number
    "BAD_TRANSPORT_VERSION, 0401ffff0000001100000000 00000000",
    "BAD_TRANSPORT_VERSION, 0408ffff0000000000000000 00000000", // before the QP number
    "DEST_QP_ZERO, 0400ffff0000000000000000 00000000",
    "BAD_LENGTH, 0410ffff0000001100000000 00000000", // pad without payload
    "BAD_LENGTH, 0400ffff0000001100000000 010203 00000000", // not whole words
    "BAD_LENGTH, 0c00ffff0000001100000000 00000000000000000000000000000000 01020304 00000000",
    "BAD_ICRC, 0400ffff0000001100000000 01020304 00000000",
  })
  void namesTheFirstFault(DropReason reason, String bytes) {
    ByteBuffer datagram = Hex.buffer(bytes);

    DecodeResult decoded = codec.decode(TestRoutes.IPV6, datagram, 0, datagram.capacity());

    assertThat(decoded).isEqualTo(reason);
  }

  @Test
  void decodesUncheckedWhateverTheIcrc() {
    ByteBuffer bytes = Hex.buffer(HELLO_BYTES);
    bytes.putInt(20, 0x12345678);

    assertThat(codec.decodeUnchecked(TestRoutes.IPV4, bytes, 0, 24)).isEqualTo(HELLO);
    assertThat(codec.decodeUnchecked(TestRoutes.IPV4, bytes, 0, 23))
        .isEqualTo(DropReason.BAD_LENGTH);
  }

  @Test
  void leavesPayloadRulesToTheEngine() {
    Packet emptyLast =
        new Packet(TestRoutes.IPV4, Bth.of(Opcode.RC_SEND_LAST, 0x11, 1), List.of(), Payload.EMPTY);

    assertThat(Encoded.of(emptyLast, 0).decoded()).isEqualTo(emptyLast);
  }

  // Any packet, and any bytes.

  private static final int MASKED_BYTE_OF_BTH = 4;

  @Property
  void decodingUndoesEncoding(
      @ForAll Opcode opcode, @ForAll long seed, @ForAll @IntRange(max = 0xffff) int id) {
    Packet overIpv4 = new RandomPackets(seed).next(TestRoutes.IPV4, opcode);
    Packet overIpv6 = new RandomPackets(seed).next(TestRoutes.IPV6, opcode);

    assertThat(Encoded.of(overIpv4, id).decoded()).isEqualTo(overIpv4);
    assertThat(Encoded.of(overIpv6, id).decoded()).isEqualTo(overIpv6);
  }

  @Property
  void randomBytesNeverThrow(@ForAll @Size(max = 80) byte[] bytes) {
    PacketCodec codec = new PacketCodec();
    ByteBuffer datagram = ByteBuffer.wrap(bytes);

    assertThat(codec.decode(TestRoutes.IPV4, datagram, 0, bytes.length)).isNotNull();
    assertThat(codec.decode(TestRoutes.IPV6, datagram, 0, bytes.length)).isNotNull();
  }

  @Property
  void randomBytesAfterAKnownOpcodeNeverThrow(
      @ForAll Opcode opcode, @ForAll @Size(min = 2, max = 80) byte[] bytes) {
    bytes[0] = (byte) opcode.code();
    bytes[1] &= (byte) 0xf0; // transport version
    ByteBuffer datagram = ByteBuffer.wrap(bytes);

    DecodeResult decoded =
        new PacketCodec().decodeUnchecked(TestRoutes.IPV4, datagram, 0, bytes.length);

    assertThat(decoded).asString().isNotEmpty();
  }

  @Property
  void truncatedPacketsAreDropped(@ForAll Opcode opcode, @ForAll long seed) {
    Encoded encoded = Encoded.of(new RandomPackets(seed).next(TestRoutes.IPV6, opcode), 0);

    for (int length = 0; length < encoded.length(); length++) {
      assertThat(new PacketCodec().decode(TestRoutes.IPV6, encoded.bytes(), 0, length))
          .isInstanceOf(DropReason.class);
    }
  }

  @Property(tries = 100)
  void everyFlippedBitIsNoticedOverIpv6(@ForAll Opcode opcode, @ForAll long seed) {
    Encoded encoded = Encoded.of(new RandomPackets(seed).next(TestRoutes.IPV6, opcode), 0);
    Icrc icrc = new Icrc();

    for (int bit = 0; bit < encoded.length() * 8; bit++) {
      boolean isMasked = bit / 8 == MASKED_BYTE_OF_BTH;
      Encoded flipped = encoded.withBitFlipped(bit);
      assertThat(flipped.isVerifiedBy(icrc)).isEqualTo(isMasked);
      assertThat(flipped.decoded() instanceof Packet).isEqualTo(isMasked);
    }
  }
}
