// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.nio.ByteBuffer;

/**
 * Memory that the device chose, to be registered in whole or in part ({@code struct ibv_buf}).
 * Thread-safe; the bytes are the application's.
 */
public interface DmaBuffer extends AutoCloseable {
  /**
   * The domain.
   *
   * @return the domain it was allocated on, the only one that can register it
   */
  ProtectionDomain pd();

  /**
   * The emulated address of the first byte, at the start of a page; that of a region made of the
   * buffer follows from it.
   *
   * @return an address, unsigned 64-bit
   */
  long addr();

  /**
   * The size.
   *
   * @return bytes, 1 to 2^31-1
   */
  int length();

  /**
   * The bytes.
   *
   * @return a view of the whole buffer, direct, with its own position and limit
   */
  ByteBuffer bytes();

  /**
   * The number of a file that stands for the buffer.
   *
   * @return the number; where buffers are plain memory there is none
   * @throws VerbsException ENODATA if it is not a dma-buf, as on the emulated device
   */
  @Verb("ibv_export_buf_dmabuf_fd")
  int exportDmabufFd();

  /** Frees the buffer; regions that were made of it keep their bytes. */
  @Override
  @Verb("ibv_free_buf")
  void close();
}
