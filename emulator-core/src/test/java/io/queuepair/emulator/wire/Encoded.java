// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/** A packet encoded into a buffer of exactly its size. */
record Encoded(Route route, ByteBuffer bytes) {
  static Encoded of(Packet packet, int identification) {
    ByteBuffer bytes = ByteBuffer.allocate(PacketCodec.encodedBytes(packet));
    new PacketCodec().encode(packet, identification, bytes, 0);
    return new Encoded(packet.route(), bytes);
  }

  int length() {
    return bytes.capacity();
  }

  Encoded withBitFlipped(int bit) {
    ByteBuffer copy = ByteBuffer.allocate(length()).put(0, bytes, 0, length());
    copy.put(bit / 8, (byte) (copy.get(bit / 8) ^ (1 << bit % 8)));
    return new Encoded(route, copy);
  }

  boolean isVerifiedBy(Icrc icrc) {
    return icrc.verify(route, bytes, 0, length());
  }

  DecodeResult decoded() {
    return new PacketCodec().decode(route, bytes, 0, length());
  }

  String hex() {
    return Hex.of(bytes, 0, length());
  }
}
