// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class LimitedLogTest {
  @Test
  void takesAMibAndSaysThatItIsFull() {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    PrintStream log = new PrintStream(new LimitedLog(file), true, StandardCharsets.US_ASCII);

    for (int line = 0; line < 1 << 16; line++) {
      log.print("a line with 31 characters and \n");
    }
    log.print('c');

    assertThat(file.toString(StandardCharsets.US_ASCII))
        .startsWith("a line")
        .endsWith("and \n\nqueuepair: the log is full\n")
        .hasSizeBetween(LimitedLog.MAX_BYTES - 64, LimitedLog.MAX_BYTES + 64);
  }
}
