// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.nio.ByteBuffer;

/** Registered memory ({@code struct ibv_mr}). Thread-safe; the bytes are the application's. */
public interface MemoryRegion extends AutoCloseable {
  /**
   * The domain.
   *
   * @return the domain the region belongs to now
   */
  ProtectionDomain pd();

  /**
   * The address of the first byte: an emulated one, or the caller's choice.
   *
   * @return an address, unsigned 64-bit
   */
  long addr();

  /**
   * The size.
   *
   * @return bytes, 0 to 2^31-1, which also stands for more; 0 for one that reads zeros, which has
   *     no end
   */
  int length();

  /**
   * The size, also of one that is longer than a buffer.
   *
   * @return bytes; 0 for one that reads zeros
   */
  default long size() {
    return length();
  }

  /**
   * The key for local use.
   *
   * @return the lkey
   */
  int lkey();

  /**
   * The key to hand to peers.
   *
   * @return the rkey
   */
  int rkey();

  /**
   * The registered bytes.
   *
   * @return a view of the whole region, with its own position and limit, in the byte order of the
   *     buffer that was registered. Atomics work in that of the host, {@link
   *     java.nio.ByteOrder#nativeOrder}
   * @throws UnsupportedOperationException if they are {@link DeviceMemory}, which the host can only
   *     copy, or {@link HostMemory}, which may be longer than a buffer
   */
  ByteBuffer buffer();

  /**
   * The whole region as a scatter/gather entry, as it is at one moment.
   *
   * @return the entry
   */
  Sge sge();

  /**
   * A part of the region as a scatter/gather entry, as it is at one moment. What is wrong on
   * purpose can be had with {@link Sge#Sge}: work requests are not checked before they run.
   *
   * @param offset bytes from the start of the region
   * @param length bytes
   * @return the entry
   * @throws IndexOutOfBoundsException if a number is negative, or the part does not lie in the
   *     region; one that reads zeros has no end
   */
  Sge sge(int offset, int length);

  /**
   * Reregisters the region: with other memory, in another domain, with other rights, or any
   * combination. Its keys stay. Work that is under way sees the one or the other, and fails where
   * the new one does not let it pass. A refusal leaves the region what it was.
   *
   * @param change what it becomes
   * @throws ReregMrException INPUT with EINVAL if the new memory is missing or empty, rights are
   *     given without the flag, or the region reads zeros; CMD with EINVAL if nothing is to change,
   *     the domain is missing or of another context, or the region is of {@link DeviceMemory}; CMD
   *     with the errno of {@link ProtectionDomain#regMr} if memory and rights do not go together;
   *     CMD with EBUSY while a memory window is bound to it; CMD with EOPNOTSUPP if the device
   *     cannot do that
   */
  @Verb("ibv_rereg_mr")
  void rereg(ReregMr change);

  /**
   * Deregisters the memory; later use of its keys fails.
   *
   * @throws VerbsException EBUSY while a memory window is bound to it
   */
  @Override
  @Verb({"ibv_dereg_mr", "rdma_dereg_mr"})
  void close();
}
