// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.wire.Payload;
import org.junit.jupiter.api.Test;

/** Memory for inline data that one send after the other uses. */
final class InlineMemoryTest {
  private final SendRequest request = new SendRequest();

  @Test
  void aSendOfTheSameLengthTakesNothingNew() {
    Payload first = request.reserveInline(16);

    assertThat(first.length()).isEqualTo(16);
    assertThat(request.reserveInline(16)).isSameAs(first);
  }

  @Test
  void aShorterSendUsesTheSameMemory() {
    Payload longer = request.reserveInline(16);
    Payload shorter = request.reserveInline(8);

    assertThat(shorter.length()).isEqualTo(8);
    assertThat(shorter.buffer()).isSameAs(longer.buffer());
    assertThat(request.reserveInline(16).length()).isEqualTo(16);
  }

  @Test
  void muchMemoryIsNotKept() {
    Payload kept = request.reserveInline(16);

    assertThat(request.reserveInline(1 << 20).length()).isEqualTo(1 << 20);
    assertThat(request.reserveInline(16)).isSameAs(kept);
  }

  @Test
  void noBytesNeedNoMemory() {
    assertThat(request.reserveInline(0).isEmpty()).isTrue();
  }
}
