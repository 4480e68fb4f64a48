// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.AllocDmAttr;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Device memory counts as used from its allocation until it is freed, and not otherwise. */
final class DeviceMemoryAllocatorTest {
  private static final int TOTAL = 1 << 20;

  private boolean isHostOutOfMemory;

  private final DeviceMemoryAllocator allocator =
      new DeviceMemoryAllocator(DeviceProfile.standard(), this::allocateOfHost);

  private ByteBuffer allocateOfHost(int bytes) {
    if (isHostOutOfMemory) {
      throw new OutOfMemoryError("Cannot reserve " + bytes + " bytes of direct buffer memory");
    }
    return ByteBuffer.allocate(bytes);
  }

  private ByteBuffer allocate(int bytes) {
    return allocator.allocate("ibv_alloc_dm", AllocDmAttr.of(bytes));
  }

  private VerbsException refusalOf(int bytes) {
    return catchThrowableOfType(VerbsException.class, () -> allocate(bytes));
  }

  @Test
  void isUsedByWhatIsAllocated() {
    allocate(1024);

    VerbsException refusal = refusalOf(TOTAL - 1023);

    assertThat(refusal.errno()).isEqualTo(Errno.ENOMEM);
    assertThat(refusal).hasMessageContaining("1047552 of 1048576 bytes are left");
    assertThat(allocate(TOTAL - 1024).capacity()).isEqualTo(TOTAL - 1024);
  }

  @Test
  void isNotUsedByWhatTheHostHasNoMemoryFor() {
    isHostOutOfMemory = true;
    assertThat(refusalOf(TOTAL).errno()).isEqualTo(Errno.ENOMEM);
    isHostOutOfMemory = false;

    assertThat(allocate(TOTAL).capacity()).isEqualTo(TOTAL);
  }

  @Test
  void canBeAllocatedAgainOnceFreed() {
    ByteBuffer freed = allocate(1024);
    allocate(TOTAL - 1024);

    allocator.free(freed);

    assertThat(refusalOf(1025).errno()).isEqualTo(Errno.ENOMEM);
    assertThat(allocate(1024).capacity()).isEqualTo(1024);
  }
}
