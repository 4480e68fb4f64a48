// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.nio.ByteBuffer;

/**
 * Memory on the device itself ({@code struct ibv_dm}): the host copies to it and from it, work
 * reaches it through regions made by {@link ProtectionDomain#regDmMr}. Thread-safe.
 */
public interface DeviceMemory extends AutoCloseable {
  /**
   * The context.
   *
   * @return the context it was allocated on
   */
  Context context();

  /**
   * The size.
   *
   * @return bytes
   */
  long length();

  /**
   * Copies from the host: the bytes from the position to the limit of a buffer, whose position
   * stays.
   *
   * @param dmOffset where they go, bytes from the start; a multiple of 4
   * @param source what is copied; a multiple of 4 bytes
   * @throws VerbsException EFAULT if they do not fit; EINVAL if offset or length is misaligned
   */
  @Verb("ibv_memcpy_to_dm")
  void copyTo(long dmOffset, ByteBuffer source);

  /**
   * Copies to the host: fills a buffer from its position to its limit; the position stays.
   *
   * @param target where the bytes go; has room for a multiple of 4 bytes
   * @param dmOffset where they begin, bytes from the start; a multiple of 4
   * @throws VerbsException EFAULT if there are fewer; EINVAL if offset or length is misaligned
   */
  @Verb("ibv_memcpy_from_dm")
  void copyFrom(ByteBuffer target, long dmOffset);

  /**
   * Frees the memory.
   *
   * @throws VerbsException EBUSY while a region is made of it
   */
  @Override
  @Verb("ibv_free_dm")
  void close();
}
