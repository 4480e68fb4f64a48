// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** Buffers and the addresses of their memory. */
final class DirectMemoryTest {
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(64);

  @Test
  void thePositionOfABufferDoesNotCount() {
    long address = DirectMemory.addressOf(buffer);

    assertThat(DirectMemory.addressOf(buffer.position(5))).isEqualTo(address);
    assertThat(DirectMemory.addressOf(buffer.position(5).slice())).isEqualTo(address + 5);
  }

  @Test
  void aViewIsTheSameMemory() {
    ByteBuffer view = DirectMemory.view(DirectMemory.addressOf(buffer) + 8, 16);
    view.putInt(4, 0x01020304);
    buffer.put(23, (byte) 7);

    assertThat(buffer.getInt(12)).isEqualTo(0x01020304);
    assertThat(view.get(15)).isEqualTo((byte) 7);
    assertThat(view.capacity()).isEqualTo(16);
    assertThat(view.remaining()).isEqualTo(16);
    assertThat(view.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
    assertThatThrownBy(() -> view.get(16)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void memoryOnTheHeapHasNoAddress() {
    assertThatThrownBy(() -> DirectMemory.addressOf(ByteBuffer.allocate(8)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("on the heap");
  }
}
