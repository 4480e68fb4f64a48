// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.wire.Payload;
import org.junit.jupiter.api.Test;

/** Memory for inline data that one send after the other uses. */
final class InlineBufferTest {
  private final InlineBuffer buffer = new InlineBuffer();

  @Test
  void aSendOfTheSameLengthTakesNothingNew() {
    Payload first = buffer.reserve(16);

    assertThat(first.length()).isEqualTo(16);
    assertThat(buffer.reserve(16)).isSameAs(first);
  }

  @Test
  void aShorterSendUsesTheSameMemory() {
    Payload longer = buffer.reserve(16);
    Payload shorter = buffer.reserve(8);

    assertThat(shorter.length()).isEqualTo(8);
    assertThat(shorter.buffer()).isSameAs(longer.buffer());
    assertThat(buffer.reserve(16).length()).isEqualTo(16);
  }

  @Test
  void muchMemoryIsNotKept() {
    Payload kept = buffer.reserve(16);

    assertThat(buffer.reserve(1 << 20).length()).isEqualTo(1 << 20);
    assertThat(buffer.reserve(16)).isSameAs(kept);
  }

  @Test
  void noBytesNeedNoMemory() {
    assertThat(buffer.reserve(0).isEmpty()).isTrue();
  }
}
