// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class PacketCodecPropertyTest {
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
  void encodingUndoesDecoding(@ForAll Opcode opcode, @ForAll long seed) {
    Encoded encoded = Encoded.of(new RandomPackets(seed).next(TestRoutes.IPV6, opcode), 0);

    Packet decoded = (Packet) encoded.decoded();

    assertThat(Encoded.of(decoded, 0)).isEqualTo(encoded);
  }

  @Property
  void directAndHeapMemoryGiveTheSameBytes(@ForAll long seed) {
    Packet packet = new RandomPackets(seed).next(TestRoutes.IPV4);
    Encoded inHeap = Encoded.of(packet, 7);
    ByteBuffer direct = ByteBuffer.allocateDirect(inHeap.length() + 5);

    new PacketCodec().encode(packet, 7, direct, 5);

    assertThat(Hex.of(direct, 5, inHeap.length())).isEqualTo(inHeap.hex());
    assertThat(new PacketCodec().decode(TestRoutes.IPV4, direct, 5, inHeap.length()))
        .isEqualTo(packet);
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

  @Property(tries = 100)
  void aFlippedBitThatLeavesTheFormIntactIsABadIcrc(
      @ForAll Opcode opcode, @ForAll long seed, @ForAll @IntRange(max = 23) int psnBit) {
    Encoded encoded = Encoded.of(new RandomPackets(seed).next(TestRoutes.IPV6, opcode), 0);

    assertThat(encoded.withBitFlipped(9 * 8 + psnBit).decoded()).isEqualTo(DropReason.BAD_ICRC);
  }
}
