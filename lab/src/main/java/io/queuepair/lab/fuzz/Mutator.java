// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Changes datagrams here and there. */
final class Mutator {
  private static final int MAX_CHANGES = 4;
  private static final int MAX_MORE = 64;
  private static final int BTH_BYTES = DatagramBuilder.BTH_BYTES;
  private static final byte[] EXTREMES = {0, 1, -1, 0x7f, (byte) 0x80, (byte) 0xfe};

  private final FuzzRandom random;

  Mutator(FuzzRandom random) {
    this.random = random;
  }

  /** Another datagram, without the ICRC that it would need; never empty. */
  ByteBuffer mutated(ByteBuffer datagram) {
    byte[] bytes = new byte[datagram.limit()];
    datagram.get(0, bytes);
    int changes = 1 + random.below(MAX_CHANGES);
    for (int i = 0; i < changes; i++) {
      bytes = changed(bytes);
    }
    return ByteBuffer.wrap(bytes);
  }

  private byte[] changed(byte[] bytes) {
    int at = random.below(bytes.length);
    switch (random.below(12)) {
      case 0, 1, 2 -> bytes[at] ^= (byte) (1 << random.below(8));
      case 3, 4 -> bytes[at] = (byte) random.any();
      case 5 -> bytes[at] = EXTREMES[random.below(EXTREMES.length)];
      case 6 -> bytes[random.below(Math.min(BTH_BYTES, bytes.length))] = (byte) random.any();
      case 7 ->
          bytes[0] =
              (byte)
                  DatagramBuilder.layouts()
                      .get(random.below(DatagramBuilder.layouts().size()))
                      .opcode();
      case 8 -> {
        int header = Math.min(bytes.length, BTH_BYTES + 28);
        bytes[random.below(header)] = (byte) random.any();
      }
      case 9 -> {
        return Arrays.copyOf(bytes, Math.max(1, at));
      }
      case 10 -> {
        int more =
            random.of(70) ? 4 * (1 + random.below(MAX_MORE / 4)) : 1 + random.below(MAX_MORE);
        return Arrays.copyOf(bytes, bytes.length + more);
      }
      default -> {
        if (bytes.length > 1) {
          bytes[1] = (byte) ((bytes[1] & 0xf0) | (random.of(50) ? 0 : random.below(16)));
        }
      }
    }
    return bytes;
  }

  /** Bytes of no meaning. */
  ByteBuffer garbage() {
    int length = 1 + random.below(random.of(80) ? 100 : 1_500);
    return ByteBuffer.wrap(random.bytes(length));
  }
}
