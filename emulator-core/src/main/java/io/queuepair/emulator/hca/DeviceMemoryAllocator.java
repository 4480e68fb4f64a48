// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.AllocDmAttr;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;

/** Allocates device memory ({@code ibv_alloc_dm}) within the limit of the profile. */
public final class DeviceMemoryAllocator {
  private static final int MAX_LOG_ALIGN = 63;

  private final long totalBytes;
  private final IntFunction<ByteBuffer> hostMemory;
  private long usedBytes;

  DeviceMemoryAllocator(DeviceProfile profile) {
    this(profile, ByteBuffer::allocateDirect);
  }

  /** Creates an allocator with buffers from elsewhere, which may throw OutOfMemoryError. */
  DeviceMemoryAllocator(DeviceProfile profile, IntFunction<ByteBuffer> hostMemory) {
    totalBytes = profile.maxDmSize();
    this.hostMemory = hostMemory;
  }

  /** Allocates device memory. Each allocation is a buffer, so every alignment is granted. */
  public ByteBuffer allocate(String verb, AllocDmAttr attr) {
    if (totalBytes == 0) {
      throw new VerbsException(Errno.EOPNOTSUPP, verb, "the device has no memory of its own");
    }
    if (attr.length() <= 0) {
      throw new VerbsException(Errno.EINVAL, verb, "a length of " + attr.length() + " bytes");
    }
    if (attr.logAlignReq() < 0 || attr.logAlignReq() > MAX_LOG_ALIGN) {
      throw new VerbsException(
          Errno.EINVAL,
          verb,
          "alignment code " + attr.logAlignReq() + " is not 0 to " + MAX_LOG_ALIGN);
    }
    if (attr.length() > totalBytes - usedBytes) {
      throw new VerbsException(
          Errno.ENOMEM,
          verb,
          (totalBytes - usedBytes) + " of " + totalBytes + " bytes are left (max_dm_size)");
    }
    ByteBuffer bytes = MemoryVerbs.allocate(verb, attr.length(), hostMemory);
    usedBytes += attr.length();
    return bytes;
  }

  public void free(ByteBuffer bytes) {
    usedBytes -= bytes.capacity();
  }
}
