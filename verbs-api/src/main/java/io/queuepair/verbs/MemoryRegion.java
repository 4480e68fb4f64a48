package io.queuepair.verbs;

import java.nio.ByteBuffer;

/** Registered memory ({@code struct ibv_mr}). Thread-safe; the bytes are the application's. */
public interface MemoryRegion extends AutoCloseable {
  /**
   * The domain.
   *
   * @return the domain the region belongs to
   */
  ProtectionDomain pd();

  /**
   * The emulated address of the first byte.
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
   * @return a view of the whole region, with its own position and limit
   */
  ByteBuffer buffer();

  /**
   * The whole region as a scatter/gather entry.
   *
   * @return the entry
   */
  default Sge sge() {
    return new Sge(addr(), length(), lkey());
  }

  /**
   * A part of the region as a scatter/gather entry; not checked before the work runs.
   *
   * @param offset bytes from the start of the region
   * @param length bytes
   * @return the entry
   */
  default Sge sge(int offset, int length) {
    return new Sge(addr() + offset, length, lkey());
  }

  /**
   * Deregisters the memory; later use of its keys fails.
   *
   * @throws VerbsException EBUSY while a memory window is bound to it
   */
  @Override
  @Verb("ibv_dereg_mr")
  void close();
}
