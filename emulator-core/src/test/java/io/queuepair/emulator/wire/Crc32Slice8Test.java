// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class Crc32Slice8Test {
  private static final int LONGEST_OFFSET = 9;

  /** The check value of CRC-32 in catalogues of CRCs. */
  @Test
  void isTheCrcOfEthernet() {
    ByteBuffer digits = ByteBuffer.wrap("123456789".getBytes(StandardCharsets.US_ASCII));

    assertThat(Crc32Slice8.of(digits, 0, 9)).isEqualTo(0xcbf4_3926);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void isWhatTheJdkComputesWhereverTheBytesAre(boolean isDirect) {
    byte[] random = new byte[LONGEST_OFFSET + Crc32Slice8.MOST_BYTES];
    new Random(1).nextBytes(random);
    ByteBuffer bytes =
        isDirect ? ByteBuffer.allocateDirect(random.length) : ByteBuffer.allocate(random.length);
    bytes.put(0, random);

    for (int offset = 0; offset <= LONGEST_OFFSET; offset++) {
      for (int length = 0; length <= Crc32Slice8.MOST_BYTES; length++) {
        CRC32 expected = new CRC32();
        expected.update(random, offset, length);

        assertThat(Crc32Slice8.of(bytes, offset, length))
            .as("%s bytes from %s", length, offset)
            .isEqualTo((int) expected.getValue());
      }
    }
  }
}
