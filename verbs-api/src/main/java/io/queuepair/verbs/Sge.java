// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A scatter/gather entry: a range of local memory ({@code struct ibv_sge}), or bytes of its own for
 * a send with {@link SendFlag#INLINE}. Immutable.
 *
 * @param addr emulated address of the first byte, inside a registered region; 0 of own bytes
 * @param length bytes, 0 to 2^31-1
 * @param lkey local key of the region; 0 of own bytes
 * @param inlineData own bytes, copied when the entry is made, read-only; empty for memory
 */
public record Sge(long addr, int length, int lkey, Optional<ByteBuffer> inlineData) {
  /**
   * Any entry.
   *
   * @param addr emulated address of the first byte, inside a registered region; 0 of own bytes
   * @param length bytes, 0 to 2^31-1
   * @param lkey local key of the region; 0 of own bytes
   * @param inlineData own bytes, from position to limit, copied now; empty for memory
   * @throws IllegalArgumentException if the length is not that of the own bytes
   */
  public Sge {
    inlineData = inlineData.map(Sge::copyOf);
    if (inlineData.isPresent() && inlineData.get().remaining() != length) {
      throw new IllegalArgumentException(
          "length " + length + " is not that of the data, " + inlineData.get().remaining());
    }
  }

  /**
   * A range of registered memory.
   *
   * @param addr emulated address of the first byte
   * @param length bytes, 0 to 2^31-1
   * @param lkey local key of the region
   */
  public Sge(long addr, int length, int lkey) {
    this(addr, length, lkey, Optional.empty());
  }

  /**
   * Bytes from any memory, which need not be registered, for a send with {@link SendFlag#INLINE}.
   * In C such an entry is a plain pointer, with any lkey.
   *
   * @param data from position to limit, which stay; copied now
   * @return the entry; anything but a send with INLINE is refused with it: EINVAL
   */
  public static Sge inline(ByteBuffer data) {
    return new Sge(0, data.remaining(), 0, Optional.of(data));
  }

  /**
   * Makes an inline entry from an array.
   *
   * @param data the bytes; copied now
   * @return the entry
   */
  public static Sge inline(byte[] data) {
    return inline(ByteBuffer.wrap(data));
  }

  private static ByteBuffer copyOf(ByteBuffer data) {
    ByteBuffer copy = ByteBuffer.allocate(data.remaining());
    return copy.put(data.duplicate()).flip().asReadOnlyBuffer();
  }

  /**
   * The bytes of an inline entry.
   *
   * @return a read-only view; empty if the entry names registered memory
   */
  @Override
  public Optional<ByteBuffer> inlineData() {
    return inlineData.map(ByteBuffer::duplicate);
  }

  /** {@return whether it has bytes of its own} */
  public boolean hasInlineData() {
    return inlineData.isPresent();
  }

  /**
   * The entries of an argument list.
   *
   * @param name of the parameter
   * @throws NullPointerException naming the parameter if it, or an entry, is null
   */
  static List<Sge> listOf(String name, Sge... entries) {
    for (Sge entry : Objects.requireNonNull(entries, name)) {
      Objects.requireNonNull(entry, name);
    }
    return List.of(entries);
  }

  /** Copies a list, as it is now; one that cannot change is not copied. */
  static List<Sge> copyOf(List<Sge> entries, String name) {
    for (Sge entry : Objects.requireNonNull(entries, name)) {
      Objects.requireNonNull(entry, name);
    }
    return List.copyOf(entries);
  }
}
